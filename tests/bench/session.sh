#!/bin/sh
# Writes a synthetic session like one of real hardware: session.sh POINTS SAMPLES >FILE.wbs
# Its records resemble those of share/sessions/range-latency-mi25.wbs, with noise. Nothing in it was measured.
set -eu
points=${1:?points} samples=${2:?samples}
awk -v points="$points" -v samples="$samples" '
	function noise() { return 1 + rand() * rand() * 0.08 }
	# Prints JSON in which a backquote stands for a double quote.
	function put(text) { gsub(/`/, "\"", text); printf "%s", text }
	BEGIN {
		srand(7)
		put("{`type`:`session`,`schema`:1,`program`:`made by hand`,`time`:`2026-01-01T00:00:00Z`,")
		put("`experiment`:`range-latency`,`title`:`Made by hand`,`device`:{`type`:`device`,`device`:`hip:0`,")
		put("`name`:`made by hand`,`arch`:`gfx900`,`kind`:`hip`,`deterministic`:false},")
		put("`params`:{`reads`:65536,`laps`:1,`stride`:128,`variant`:`published`},`sweep`:{`param`:`rangesize`,`values`:[")
		for (i = 0; i < points; i++) printf "%s%d", i ? "," : "", 1024 + 64 * i
		put("]},`units`:{`latency`:`cycles`,`bandwidth`:`MB/s`,`rangesize`:`B`},")
		put("`columns`:{`params`:[{`id`:`rangesize`,`unit`:`B`,`log`:true},{`id`:`reads`,`unit`:`reads`},")
		put("{`id`:`laps`,`unit`:``},{`id`:`stride`,`unit`:`B`},{`id`:`variant`,`unit`:``,`choices`:[`published`,`compiled`]}],")
		put("`metrics`:[{`id`:`latency`,`unit`:`cycles`,`axis`:0},{`id`:`bandwidth`,`unit`:`MB/s`,`axis`:1}],")
		put("`counters`:[]}}\n")
		for (i = 0; i < points; i++) {
			base = 0.0102 * (i > points / 4 ? 1.6 : 1) * (i > points / 2 ? 1.8 : 1)
			put(sprintf("{`type`:`point`,`job`:%d,`point`:%d,`experiment`:`range-latency`,", i + 1, i))
			put(sprintf("`params`:{`rangesize`:%d,`reads`:65536,", 1024 + 64 * i))
			put("`laps`:1,`stride`:128,`variant`:`published`},")
			put("`status`:`ok`,`seconds`:[")
			for (k = 0; k < samples; k++) printf "%s%.12f", k ? "," : "", base * noise()
			sclk = 1520 + 20 * rand()
			temperature = 40 + 5 * rand()
			power = 90 + 30 * rand()
			put(sprintf("],`sclk_mhz`:%d,`mclk_mhz`:945,", sclk))
			put(sprintf("`temp_c`:%d,`power_w`:%d,", temperature, power))
			put(sprintf("`clocks_moved`:%s,", i % 1000 == 999 ? "true" : "false"))
			put("`verify`:`ok`,`contract`:`ok`,")
			put("`kernel`:{`hash`:`ad6ab248e1f47485`,`compiler`:`prebuilt`,`vgprs`:8,`sgprs`:32,`lds`:0,")
			put("`scratch`:0,`waves_per_simd`:10},")
			latency = base * 1536e6 / 65536
			put(sprintf("`metrics`:{`latency`:%.6f,`bandwidth`:%.6f},", latency, 65536 * 4 / base / 1e6))
			put(sprintf("`quartiles`:{`latency`:[%.6f,%.6f]}}\n", latency, latency * 1.03))
		}
		put(sprintf("{`type`:`end`,`points`:%d}\n", points))
	}'
