/* `completion bash|zsh`: the few lines that each shell wants; what may stand where the program says itself, by
 * `completion words ...`. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli_support.h"
#include "cli/completion_words.h"

/* bash breaks words at = and :, the program does not: what stands in front of the last of them is cut off again. */
static const char bash[] =
	"# bash completion of wavedeck, made by `wavedeck completion bash`\n"
	"_wavedeck()\n"
	"{\n"
	"\tlocal line=${COMP_LINE:0:COMP_POINT} words last cut\n"
	"\tread -ra words <<<\"$line\"\n"
	"\t[[ $line == *[[:space:]] ]] && words+=('')\n"
	"\tlast=${words[-1]}\n"
	"\tcut=${last%\"${last##*[=:]}\"}\n"
	"\tmapfile -t COMPREPLY < <(\"${words[0]}\" completion words \"${words[@]:1}\" 2>/dev/null)\n"
	"\tCOMPREPLY=(\"${COMPREPLY[@]#\"$cut\"}\")\n"
	"\t[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace\n"
	"}\n"
	"complete -o default -F _wavedeck wavedeck\n";

static const char zsh[] = "#compdef wavedeck\n"
			  "# zsh completion of wavedeck, made by `wavedeck completion zsh`\n"
			  "_wavedeck()\n"
			  "{\n"
			  "\tlocal -a all open whole\n"
			  "\tall=(\"${(@f)$(${words[1]} completion words \"${(@)words[2,CURRENT]}\" 2>/dev/null)}\")\n"
			  "\topen=(${(M)all:#*[=:]})\n"
			  "\twhole=(${all:#*[=:]})\n"
			  "\t(( ${#open} )) && compadd -S '' -a open\n"
			  "\t(( ${#whole} )) && compadd -a whole\n"
			  "\t(( ${#open} + ${#whole} )) || _files\n"
			  "}\n"
			  "_wavedeck \"$@\"\n";

int command_completion(int argc, char **argv)
{
	struct err e = {0};
	if (argc > 1 && !strcmp(argv[1], "words")) {
		struct buf out = {0};
		completion_list_words((const char *const *)argv + 2, argc - 2, &out);
		fputs(out.data ? out.data : "", stdout);
		buf_free(&out);
		return ST_OK;
	}
	if (argc == 2 && !strcmp(argv[1], "bash"))
		fputs(bash, stdout);
	else if (argc == 2 && !strcmp(argv[1], "zsh"))
		fputs(zsh, stdout);
	else {
		err_set(&e, ST_REQUEST,
			"completion wants one shell: wavedeck completion bash, or wavedeck completion zsh");
		return command_report_failure(&e);
	}
	return ST_OK;
}
