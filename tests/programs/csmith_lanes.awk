# Converts a csmith program (--lang-cpp --cpp11) so that its globals are members of a structure. Each lane of a wave then has
# its own globals, and the first plain integers differ between lanes, so that the lanes diverge. csmith's arithmetic is defined
# for all values, and indices and pointers do not depend on them: each lane is as free of undefined behavior as the original.
BEGIN {
	print "#define CSMITH_LANES"
	print "#include \"csmith.h\""
	print "struct program {"
	print "#include \"csmith_checksum.h\""
}
/^#include|^static long __undefined/ { next }
/^static .*\(.*\);$/ && !/=/ { next } # prototypes: members need none
/^static (volatile )?u?int(8|16|32|64)_t +g_[0-9]+ = / && differing < 6 {
	match($0, /g_[0-9]+/)
	differ = differ "\t\t" substr($0, RSTART, RLENGTH) " += (lane ^ lane >> 2) * " 2 * differing++ + 1 ";\n"
}
{ sub(/^static /, ""); print }
END {
	print "\tvoid differ(uint32_t lane)\n\t{\n" differ "\t}\n};"
	print "extern \"C\" uint32_t csmith_run(uint32_t lane)\n{"
	print "\tprogram p;\n\n\tp.differ(lane);\n\tp.csmith_main();\n\treturn p.csmith_result;\n}"
}
