# Samples of the data files of rocBLAS and rocSPARSE. Each record is one test, and there are so many (1.5 million and
# 300000) that rocBLAS needs more than a minute to list them.
# shellcheck shell=bash

# Keeps quick tests of up to 40000 elements: of those of one function with one set of types, which get larger with their
# number, number 4 and each one whose number is the previous one times a factor. So small ones of nearly all functions
# and types are in the sample.
draw_records() { # bytes of the header, of a record, factor, template: function, types, category, sizes; stdin to stdout
	perl -e '
		my ($header_size, $record_size, $factor, $template) = @ARGV;
		binmode $_ for *STDIN, *STDOUT;
		read STDIN, my $header, $header_size;
		print $header;
		while (read(STDIN, my $record, $record_size) == $record_size) {
			my ($function, $types, $category, @sizes) = unpack $template, $record;
			my $elements = 1;
			$elements *= $_ for @sizes;
			next if $category ne "quick" or $elements > 40000;
			my $group = $function . $types;
			my $wanted = $wanted{$group} || 4;
			next if ++$count{$group} < $wanted;
			print $record;
			$wanted{$group} = $wanted * $factor;
		}' "$@"
}

# The templates follow struct Arguments of the test programs: a function has 64 bytes, a type 4. Sizes are rows and
# columns of rocSPARSE's matrix; vectors have -1 columns. rocBLAS's quick tests are all small.
draw_guest_data() { # package
	case $1 in
	librocblas0-tests) draw_records 496 480 4 '@0 a64 @424 a20 @128 Z64' </usr/share/rocblas/*/test/rocblas_gtest.data ;;
	librocsparse0-tests)
		draw_records 692 672 16 '@473 a64 @64 a32 @601 Z32 @0 l2' </usr/share/rocsparse/*/test/rocsparse_test.data
		;;
	esac
}
