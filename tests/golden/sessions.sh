#!/usr/bin/env bash
# The session view compared with golden screens: the list, two sessions compared, the points of a session, and a very
# small screen. The sessions are written by this script. TAP.
# shellcheck source=golden.bash
. "$(dirname "$0")/golden.bash"
export TZ=UTC

folder=$XDG_DATA_HOME/wavedeck/sessions
mkdir -p "$folder"

session() { # name, time, device, factor, points, extra fields of point 3
	awk -v when="$2" -v device="$3" -v factor="$4" -v points="$5" -v odd="$6" '
	# Prints JSON in which a backquote stands for a double quote.
	function put(text) { gsub(/`/, "\"", text); printf "%s", text }
	BEGIN {
		put("{`type`:`session`,`schema`:1,`program`:`wavedeck 0.1.0`,`time`:`" when "`,")
		put("`experiment`:`range-latency`,`title`:`Latency, by range`,")
		put("`device`:{`type`:`device`,`device`:`" device "`,`name`:`Radeon Instinct MI25`,")
		put("`arch`:`gfx900`,`deterministic`:false},")
		put("`params`:{`reads`:65536,`laps`:1,`stride`:128,`variant`:`published`},")
		put("`sweep`:{`param`:`rangesize`,`values`:[")
		for (i = 0; i < 12; i++) printf "%s%d", i ? "," : "", 1024 * 2 ^ i
		put("]},`columns`:{`params`:[{`id`:`rangesize`,`unit`:`B`,`log`:true},")
		put("{`id`:`reads`,`unit`:`reads`},{`id`:`laps`,`unit`:``},{`id`:`stride`,`unit`:`B`},")
		put("{`id`:`variant`,`unit`:``,`choices`:[`published`,`compiled`]}],")
		put("`metrics`:[{`id`:`latency`,`unit`:`cycles`,`axis`:0},")
		put("{`id`:`bandwidth`,`unit`:`MB/s`,`axis`:1}]}}\n")
		for (i = 0; i < points; i++) {
			latency = (i < 5 ? 240 : 377) * (i < 8 ? factor : 1) + i / 8
			put(sprintf("{`type`:`point`,`point`:%d,`experiment`:`range-latency`,", i))
			put(sprintf("`params`:{`rangesize`:%d,`reads`:65536,`laps`:1,`stride`:128,", 1024 * 2 ^ i))
			put("`variant`:`published`},`status`:`ok`,")
			faults = i == 3 && odd != "" ? odd : "`clocks_moved`:false,`verify`:`ok`"
			put(sprintf("`seconds`:[0.010,0.011,0.012],`sclk_mhz`:%d,", 1530 + i))
			put(faults ",`contract`:`ok`,")
			put(sprintf("`metrics`:{`latency`:%g,`bandwidth`:%g},", latency, 6144 / latency))
			put(sprintf("`quartiles`:{`latency`:[%g,%g]}}\n", latency - 2, latency + 3))
		}
	}' >"$folder/$1.wbs"
}
session mine 2027-03-01T10:14:00Z soft:mi25 1 12 ''
session silicon 2027-03-02T09:30:00Z hip:0 1.004 12 '"clocks_moved":true,"verify":"ok"'
session larger 2027-03-03T16:02:00Z soft:mi25,l1_bytes=65536 0.64 12 ''
session broken 2027-03-04T08:00:00Z hip:0 1 7 \
	'"clocks_moved":false,"verify":"failed","verify_text":"buf[3] is 1, expected 2"'
printf '{"type":"note","time":"2027-03-04T09:00:00Z","text":"the fan was loud"}\n{"type":"point","par' \
	>>"$folder/broken.wbs"
printf 'no session at all\n' >"$folder/rubbish.wbs"
touch -d 2027-03-05T00:00:00Z "$folder/rubbish.wbs"

{
	echo 'size 80x24'
	echo 'wait sweep'
	echo 'action sessions'
	echo 'wait sessions'
	echo 'action session-down broken'
	echo 'action session-mark mine'
	echo 'action session-mark silicon'
	echo 'action session-down broken'
	dumps list
	echo 'action session-points'
	echo 'wait sessions'
	echo 'action session-down'
	dumps points
	echo 'action back'
	echo 'action session-mark larger'
	echo 'action session-compare'
	echo 'wait sessions'
	dumps compare
	printf 'size 20x6\nglyphs ascii\ndump %s\n' "$tmp/small-20x6-ascii.txt"
} >"$tmp/script"
# The name of the temporary folder is replaced.
steady() { sed "s|$tmp|TMP|" "$1"; }
play --device "replay:$folder/mine.wbs"
same_screens list points compare
same_screen small-20x6-ascii.txt
finish
