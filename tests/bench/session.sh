#!/bin/sh
# A recorded session of so many points with so many samples each, like one of silicon: session.sh POINTS SAMPLES >FILE.wbs
# Its records are those of share/sessions/range-latency-mi25.wbs, made noisy; nothing in it was measured.
set -eu
points=${1:?points} samples=${2:?samples}
awk -v points="$points" -v samples="$samples" '
	function noise() { return 1 + rand() * rand() * 0.08 }
	BEGIN {
		srand(7)
		printf "{\"type\":\"session\",\"schema\":1,\"program\":\"made by hand\",\"time\":\"2026-01-01T00:00:00Z\",\"experiment\":\"range-latency\","
		printf "\"title\":\"Made by hand\",\"device\":{\"type\":\"device\",\"device\":\"hip:0\",\"name\":\"made by hand\",\"arch\":\"gfx900\",\"kind\":\"hip\",\"deterministic\":false},"
		printf "\"params\":{\"reads\":65536,\"laps\":1,\"variant\":\"published\"},\"sweep\":{\"param\":\"rangesize\",\"values\":["
		for (i = 0; i < points; i++) printf "%s%d", i ? "," : "", 1024 + 64 * i
		printf "]},\"units\":{\"latency\":\"cycles\",\"bandwidth\":\"MB/s\",\"rangesize\":\"B\"},\"columns\":{\"params\":[{\"id\":\"rangesize\",\"unit\":\"B\",\"log\":true},"
		printf "{\"id\":\"reads\",\"unit\":\"reads\"},{\"id\":\"laps\",\"unit\":\"\"},{\"id\":\"variant\",\"unit\":\"\",\"choices\":[\"published\",\"compiled\"]}],"
		printf "\"metrics\":[{\"id\":\"latency\",\"unit\":\"cycles\",\"axis\":0},{\"id\":\"bandwidth\",\"unit\":\"MB/s\",\"axis\":1}],\"counters\":[]}}\n"
		for (i = 0; i < points; i++) {
			base = 0.0102 * (i > points / 4 ? 1.6 : 1) * (i > points / 2 ? 1.8 : 1)
			printf "{\"type\":\"point\",\"job\":%d,\"point\":%d,\"experiment\":\"range-latency\",\"params\":{\"rangesize\":%d,\"reads\":65536,\"laps\":1,\"variant\":\"published\"},", i + 1, i, 1024 + 64 * i
			printf "\"status\":\"ok\",\"seconds\":["
			for (k = 0; k < samples; k++) printf "%s%.12f", k ? "," : "", base * noise()
			printf "],\"sclk_mhz\":%d,\"mclk_mhz\":945,\"temp_c\":%d,\"power_w\":%d,\"clocks_moved\":%s,\"verify\":\"ok\",\"contract\":\"ok\",", 1520 + 20 * rand(), 40 + 5 * rand(), 90 + 30 * rand(), i % 1000 == 999 ? "true" : "false"
			printf "\"kernel\":{\"hash\":\"ad6ab248e1f47485\",\"compiler\":\"prebuilt\",\"vgprs\":8,\"sgprs\":32,\"lds\":0,\"scratch\":0,\"waves_per_simd\":10},"
			latency = base * 1536e6 / 65536
			printf "\"metrics\":{\"latency\":%.6f,\"bandwidth\":%.6f},\"quartiles\":{\"latency\":[%.6f,%.6f]}}\n", latency, 65536 * 4 / base / 1e6, latency, latency * 1.03
		}
		printf "{\"type\":\"end\",\"points\":%d}\n", points
	}'
