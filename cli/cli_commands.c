/* The commands there are: the one table behind dispatch, help and suggestions. */
#include <stdio.h>
#include <string.h>

#include "tui/shell/bindings.h"
#include "cli/cli_support.h"
#include "cli/manual.h"

static int command_words(int argc, char **argv);

static const char run_help[] =
	"  @PRESET               parameters set under a name: @published has the sizes of the literature, @quick five points; `wavedeck show EXP` lists others\n"
	"  NAME=VALUE            one value, with a unit or without: stride=128, size=64MiB, size=2^20\n"
	"  NAME=A..B[:x2|:+16]   a sweep; a doubling parameter doubles unless told otherwise\n"
	"  NAME=a,b,c            a list; several lists or ranges form a product, the last one fastest\n"
	"  --device D            soft:mi25, another model (soft:mi25,l1_bytes=65536 changes the hardware), hip:0\n"
	"  --format F            table (default), csv, json, plot, or of `wavedeck help export`: gnuplot, svg, html\n"
	"  --counters A,B        hardware counters by their rocprofiler names, one column each; CYCLES_DRAM and its like\n"
	"                        are the software GPU's account of a launch's cycles by cause\n"
	"  --record FILE         write a session while measuring; `wavedeck open FILE` shows it\n"
	"  --resume FILE         go on with an interrupted session: points it has are not measured again; experiment, parameters\n"
	"                        and device are the session's and need not be given: wavedeck run --resume FILE\n"
	"  --limit SECONDS       stop after that time; points measured so far are kept\n"
	"  --estimate            say how long it will take instead, from three points at the size for the software GPU\n"
	"  --timeline FILE       what every wave of a CU did in every cycle of one point, for chrome://tracing and ui.perfetto.dev (software GPU)\n"
	"  --cu N|all            which CU that is; the first unless told otherwise\n"
	"  --no-verify           do not compare results with the C reference\n"
	"Exit status: 0 done, 1 a measurement failed, 2 the request was wrong, 130 interrupted.\n"
	"Example: wavedeck run cacheline-stride stride=16..128 --format csv\n";

static const char edit_help[] =
	"The kernel of the experiment, of the variant that the arguments choose, is copied into the user's data folder and opened in $VISUAL, $EDITOR or vi.\n"
	"Then the sweep is measured with the copy and with the original: B / A is the ratio of the edited kernel to the original. Results are still compared\n"
	"with the reference. The copy is kept: the next `edit` goes on with it.\n"
	"  @PRESET, NAME=...     as for run\n"
	"  --device D            soft:mi25, hip:0\n"
	"  --reset               drop the copies of the experiment\n"
	"Example: EDITOR=nano wavedeck edit fma-waves variant=compiled\n";

static const char validate_help[] =
	"  EXP                   the experiments to compare; without a name, all that have rows published of the device's target (`show` lists all rows)\n"
	"  --device D            soft:mi25 (soft:mi25,l1_bytes=65536 changes the hardware), hip:0\n"
	"  --json                {rows: [...], summary: {count, median, within_5, worst, worst_uncalibrated_median}}\n"
	"An error is a part of the published value (0.01 is 1 %); a published 0 has the error 0 or 1. A row that was printed rounded or cut off is compared\n"
	"after the same. within_5 is the part of the rows with an error of at most 5 %. Exit status: 0 all rows compared, 1 some were not measured.\n";

static const char compare_help[] =
	"Points are aligned by their parameters; ratios are to the first session. Two deterministic devices (the software GPU) are the same where their numbers\n"
	"are; others are the same within noise where the quartiles of their samples overlap. Below: what differs in device, constants, versions, kernel, compiler\n"
	"and clocks, and the points that were left out, with the reason.\n"
	"  --format F            table, csv, json\n";

static const char export_help[] =
	"  --format F            csv       a row a point, in base units; lines with # have the provenance\n"
	"                        json      the records\n"
	"                        gnuplot   a script with its data inside: gnuplot -p OUT\n"
	"                        svg       a picture with its axes, published values, clocks and metadata, for print\n"
	"                        html      a report in one file, with curves to explore, the points and their provenance\n"
	"  -o OUT                the file to write, standard output without; its ending chooses the format where --format does not;\n"
	"                        an earlier export there is replaced, a recorded session never\n"
	"Example: wavedeck export lab1.wbs -o lab1.html\n";

/* The order is the one of `wavedeck --help`. */
static const struct command commands[] = {
	{"list", "[--json]", "the experiments there are", "  --json                as JSON\n", command_list},
	{"show", "EXP|PATH.lua [--json]", "an experiment's question, parameters and metrics",
		"  --json                as JSON\n", command_show},
	{"devices", "[--model M] [--test [DEVICE]] [--json]",
		"the devices there are, a model's constants, or a device's self-test",
		"  --model mi25          every constant of the software GPU: value, unit, range, source\n"
		"  --test [DEVICE]       time step, empty launch, events against the wall clock, copies, each with a verdict\n  --json                as JSON\n",
		command_devices},
	{"run", "EXP|PATH.lua [@PRESET] [NAME=VALUE|NAME=A..B[:x2|:+16]|NAME=a,b,c]... [OPTIONS]", "measure", run_help,
		command_run},
	{"edit", "EXP|PATH.lua [@PRESET] [NAME=...]... [--device D] [--reset]",
		"edit a copy of a kernel and measure it beside the original", edit_help, command_edit},
	{"validate", "[--device D] [--json] [EXP...]", "published rows beside measured ones, with the error of each",
		validate_help, command_validate},
	{"open", "FILE [--format table|csv|json|plot]", "a recorded session",
		"On a terminal the session opens in the workbench. With a format, or without a terminal, it is printed.\n"
		"  --format F            table, csv, json or plot\n",
		command_open},
	{"compare", "A B... [--format table|csv|json]",
		"the points that recorded sessions have in common, with their ratio", compare_help, command_compare},
	{"export", "FILE [--format csv|json|gnuplot|svg|html] [-o OUT]", "a recorded session for other programs",
		export_help, command_export},
	{"isa", "EXP|KERNEL [NAME=VALUE]... [--arch gfx900] [--profile|--diff WHAT]",
		"a kernel's hot loop, dependence chain, registers, LDS, scratch and occupancy",
		"  --all                 the whole kernel\n"
		"  --diff WHAT           beside another variant, aligned: a choice such as compiled, NAME=VALUE, or edited for the copy that `edit` made\n"
		"  --renamed             with --diff: registers' numbers and branch distances set aside\n"
		"  --profile             run the experiment's default point on the software GPU and print what its cycles went to:\n"
		"                        by cause, and for each instruction how often it was issued, its issue and its stall cycles\n"
		"  --device D            soft:mi25, or with other constants soft:mi25,l1_bytes=65536: what --profile runs on; its target where --arch names none\n"
		"Example: wavedeck isa range-latency --profile rangesize=32KiB\n"
		"         wavedeck isa cacheline-stride --diff compiled\n",
		command_isa},
	{"lesson", "[NAME [STEP]|--check [NAME]...]", "the course: its pages, one page, or a page's step carried out",
		"  --check [NAME]...     hold what the pages say in numbers against the software GPU: carries out their steps, which takes minutes for all\n"
		"  --device D            with --check: soft:mi25 (default), or another, to see which of them are different there\n"
		"Example: wavedeck lesson caches 1\n",
		command_lesson},
	{"exec", "[--model mi25] -- PROGRAM [ARGUMENTS]", "run any HIP program on the software GPU",
		"  --model M             mi25, another model (wavedeck devices), or mi25,NAME=VALUE,... with other hardware constants\n"
		"Example: wavedeck exec -- rocminfo\n",
		command_exec},
	{"doctor", "", "what is missing on this machine, with the mend for each", "", command_doctor},
	{"worker", "--device D", "serve a device on standard input and output", "", command_worker},
	{"completion", "bash|zsh", "the shell's completion of commands, options, experiments, parameters, settings",
		"Example: wavedeck completion bash >~/.local/share/bash-completion/completions/wavedeck\n`make install` puts both where the shells look.\n",
		command_completion},
	{"help", "[COMMAND|TOPIC] [--man]", "this list, a command's options, or a part of the manual",
		"  --man                 the whole manual as roff: wavedeck help --man | man -l -\n", command_words},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

const struct command *command_find(const char *name, struct err *e)
{
	const char *names[COMMANDS];
	for (int i = 0; i < COMMANDS; i++) {
		names[i] = commands[i].name;
		if (!strcmp(name, names[i]))
			return &commands[i];
	}
	const char *near = find_nearest_name(name, names, COMMANDS);
	if (near)
		err_set(e, ST_REQUEST, "there is no command '%s'; did you mean %s?", name, near);
	else
		err_set(e, ST_REQUEST, "there is no command '%s'; `wavedeck --help` lists them", name);
	return NULL;
}

const struct command *command_at(int i)
{
	return i >= 0 && i < COMMANDS ? &commands[i] : NULL;
}

void command_help(const struct command *c, FILE *out)
{
	fprintf(out, "wavedeck %s%s%s\n%s\n%s%s", c->name, *c->arguments ? " " : "", c->arguments, c->summary,
		*c->help ? "\n" : "", c->help);
}

int command_help_all(void)
{
	printf("wavedeck: experiments on a GPU, real or in software\n\n"
	       "wavedeck [EXP|PATH.lua]     open the workbench (without a terminal: measure that or the default experiment)\n"
	       "wavedeck --script FILE      drive the screen by action names and dump it as text\n"
	       "wavedeck --device D         either of them on another device\n"
	       "wavedeck --set NAME=VALUE   a setting, for any command\n");
	for (int i = 0; i < COMMANDS; i++)
		printf("wavedeck %-18s %s\n", commands[i].name, commands[i].summary);
	printf("\nwavedeck help COMMAND tells a command's arguments; --version prints the version. wavedeck help TOPIC tells of\n");
	const char *topic, *about;
	for (int i = 0; (topic = manual_topic_name(i, &about)); i++)
		printf("  %-12s %s\n", topic, about);
	return ST_OK;
}

static void ignore(void *ctx, const char *line)
{
	(void)ctx;
	(void)line;
}

static int command_words(int argc, char **argv)
{
	struct err e = {0};
	bindings_read(ignore, NULL); /* keys are told as they are */
	if (argc > 1 && !strcmp(argv[1], "--man")) {
		manual_print_roff();
		return ST_OK;
	}
	if (argc > 1 && manual_print_topic(argv[1]))
		return ST_OK;
	bool itself = argc > 1 && !strcmp(argv[1], "wavedeck"); /* what a message of its own arguments points to */
	const struct command *c = argc > 1 && !itself ? command_find(argv[1], &e) : NULL;
	if (e.text[0])
		return command_report_failure(&e);
	if (!c)
		return command_help_all();
	command_help(c, stdout);
	return ST_OK;
}
