/* The table of commands, for dispatch, help, suggestions and completion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/cli_support.h"
#include "cli/frontend.h"
#include "cli/manual.h"
#include "cli/run/clock_options.h"
#include "sessions/export/exporters.h"

static int command_print_help(int argc, char **argv);
static int command_print_version(int argc, char **argv);

/* What --check reports, for `exec` and `run`. */
/* clang-format off */
#define CHECK_REPORT_HELP \
	"  --error-exitcode N    with --check: the exit status if something is reported\n" \
	"  --suppress FILE       do not report what the lines of a file mean: KIND KERNEL-REGEX [FILE[:LINE]].\n" \
	"                        A comment `wavedeck: ignore KIND` on a line of the source does the same there\n" \
	"  --check-limit N       report at most N places, and the number of the others; default: 20\n" \
	"  --check-json FILE     write all that was found as JSON\n" \
	"  --check-junit FILE    write it for build servers: a test case for each kernel\n"
/* clang-format on */

#define SAMPLING_OPTION_HELP                                                                                             \
	"  --flush-l2            empty the L2 cache before each sample, by stores to a buffer of twice its size\n"       \
	"  --stop RULE           on a device whose times vary, end the samples of a point when the interval of the\n"    \
	"                        median is narrow (interval, the default), or when the entropy of the times no longer\n" \
	"                        rises (entropy, the criterion of nvbench; docs/devices.md)\n"

static const char run_help[] =
	"  @PRESET               a named set of parameters: @published uses the published sizes, @quick\n"
	"                        measures five points; `wavedeck show EXP` lists all\n"
	"  NAME=VALUE            one value, with or without a unit: stride=128, size=64MiB, size=2^20\n"
	"  NAME=A..B[:x2|:+16]   a range; without a step, the parameter's own step\n"
	"  NAME=a,b,c            a list; several lists or ranges form a product, the last one varies fastest\n"
	"  --device D            soft:mi25, another model, a model with changed constants\n"
	"                        (soft:mi25,l1_bytes=65536), a GPU of AMD (hip:0) or of NVIDIA (cuda:0). Several\n"
	"                        --device, or 'hip:*' or 'cuda:*': equal GPUs share the points, or with --each are\n"
	"                        compared\n"
	"  --format F            {formats}; the default is table\n"
	"  --counters A,B        hardware counters by their rocprofiler names, one column each; on the\n"
	"                        software GPU also CYCLES_DRAM and the other stall reasons\n"
	"  --profile             the cycles of every stall reason, one column each (software GPU only); the table\n"
	"                        leaves out reasons without cycles\n"
	"  --what-if             also what each cause of lost cycles costs: the same points on the same software GPU\n"
	"                        with one part ideal\n"
	"  --record FILE         record a session while measuring; `wavedeck open FILE` shows it\n"
	"  --resume FILE         continue an interrupted session: points in the file are not measured again;\n"
	"                        experiment, parameters and device come from the file\n" CLOCK_OPTION_HELP
		SAMPLING_OPTION_HELP
	"  --workers N|auto      processes that measure points of a software GPU at the same time (default auto:\n"
	"                        one for each core, at most 8). The results do not depend on it\n"
	"  --via WHERE           measure elsewhere: a command that starts a program there, such as 'ssh node7' or\n"
	"                        'srun -p gpu -n1'; a name from ~/.config/wavedeck/hosts; or local, this machine.\n"
	"                        *4 at the end: four workers. Several --via share the points\n"
	"  --each                measure all points on each of several devices (default: all GPUs), and print a\n"
	"                        table of the devices, slow ones first. A session for each goes to --folder DIR\n"
	"  --metric M            with --each: the metric to compare; default: the first\n"
	"  --limit SECONDS       stop after that time and keep the points measured so far; default: stop when a\n"
	"                        point takes 30 minutes; 0: no limit\n"
	"  --estimate            only estimate how long the run takes, with one worker and with all, from three\n"
	"                        points at a size reduced for the software GPU\n"
	"  --timeline FILE       write what each wave of a CU does in every cycle of one point, for\n"
	"                        chrome://tracing or ui.perfetto.dev (software GPU only)\n"
	"  --cu N|all            the CU for --timeline; default 0\n"
	"  --no-verify           do not compare the results with the reference\n"
	"  --trust               a C reference of your own may run: it is native code\n"
	"  --check[=LIST]        report what the kernel does wrong in each point (software GPU only): memory, init,\n"
	"                        race, global, barrier, portable, loads, align. Default: memory,init,race,barrier\n" CHECK_REPORT_HELP
	"  --no-header-comments  CSV without the lines that begin with #\n"
	"  --args 'n={n}'        EXP is a HIP program of yours, ./app: these are its arguments, and {NAME} in them\n"
	"                        stands for the values of NAME=. Quotes group words as in a shell. Each point is a run\n"
	"                        of the program on a software GPU; numbers are written without units. One run at a time,\n"
	"                        or --workers N. A range without a step doubles\n"
	"  --kernel NAME         of the program: its kernel, or a part of the name. Default: the one with the most cycles\n"
	"                        in a run with the last values. All its launches in a run are added up\n"
	"Exit status: 0 success, 1 a measurement failed, 2 the request was wrong, 130 interrupted.\n"
	"Example: wavedeck run cacheline-stride stride=16..128 --format csv\n"
	"         wavedeck run ./app --args 'n={n} block={block}' n=1024..1Mi:x4 block=64,128\n";

static const char edit_help[] =
	"Copies the experiment's kernel, of the variant that the arguments select, to the user's data folder\n"
	"and opens the copy in $VISUAL, $EDITOR or vi. Then measures the sweep with the copy and with the\n"
	"original: B / A is the edited kernel relative to the original. Results are still compared with the\n"
	"reference. The copy is kept, and the next `edit` opens it again.\n"
	"  @PRESET, NAME=...     as for run\n"
	"  --device D            soft:mi25, hip:0, cuda:0\n"
	"  --reset               delete the experiment's copies\n"
	"  --trust               a C reference of your own may run: it is native code\n"
	"Example: EDITOR=nano wavedeck edit fma-waves variant=compiled\n";

static const char validate_help[] =
	"  EXP                   the experiments to compare; default: all with published values for the\n"
	"                        device's target (`show` lists them)\n"
	"  --device D            soft:mi25 (soft:mi25,l1_bytes=65536 changes the hardware), hip:0, cuda:0\n"
	"  --workers N|auto      as for run: points of a software GPU are measured at the same time\n"
	"  --limit SECONDS       stop all points after this time and compare what was measured; 0: no limit.\n"
	"                        Default: 30 minutes for each point, since a worker began with it; the others go on\n"
	"  --without PROGRAM     compare only the rows of this published program (\"Vega64 notes 2.6.3\"), with the\n"
	"                        values that the constants fitted on it had before; a wrong name lists the programs\n"
	"  --summary             no rows, but a table by kind of measurement: their number, median error, the share within\n"
	"                        25 %, and how many are off by more than a factor of two; all, and without calibrated rows\n"
	"  --json                {rows: [...], summary: {count, median, within_5, worst, worst_uncalibrated_median}}\n"
	"The error is relative to the published value (0.01 is 1 %); for a published 0 it is 0 or 1. If the\n"
	"source rounded or truncated a value, the measured value is rounded the same way first. If two sources\n"
	"give an interval, the error is 0 inside, otherwise relative to the nearer end. within_5 is the share of\n"
	"rows with an error of at most 5 %. c: a constant of the software GPU was calibrated on the row; b: it\n"
	"was kept aside until a prediction was written down. The last column is the time to measure the point.\n"
	"Exit status: 0 all rows compared, 1 some rows were not measured, 130 interrupted.\n";

static const char roofline_help[] =
	"Prints each kernel of profilers' files, the mean of its launches in a file, with the limits of its GPU.\n"
	"  --import FILE         results.csv of rocprof with timestamps, counter_collection.csv of rocprofv3, or the pages\n"
	"                        raw or details of Nsight Compute (ncu) as CSV; several: --import *.csv\n"
	"  --join                the files are of passes over one program, each with other counters: one table\n"
	"  --device D            the model of the AMD GPU that was profiled, such as soft:mi210. Files of ncu have limits\n"
	"  --json                {tool, device, kernels: [...]}; of several files a list of these, each with its file\n"
	"Counters of AMD: FETCH_SIZE and WRITE_SIZE (or FetchSize and WriteSize), in KB; on MI200 and later\n"
	"SQ_INSTS_VALU_ADD_F32, _MUL_F32, _TRANS_F32 and _FMA_F32, the same of F16 and F64,\n"
	"SQ_INSTS_VALU_MFMA_MOPS_F16 and so on; elsewhere SQ_INSTS_VALU and\n"
	"SQ_INSTS_SALU. Metrics of ncu: its set roofline, or gpu__time_duration.sum, dram__bytes.sum and its peak_sustained,\n"
	"dram__cycles_elapsed.avg.per_second, sm__cycles_elapsed.avg.per_second, sm__inst_executed.sum and its\n"
	"peak_sustained, sm__sass_thread_inst_executed_op_ffma_pred_on.sum and its peak_sustained, and the same of fadd\n"
	"and fmul; of d and h for other numbers. Operations of tensor cores are not among them. dram__bytes_read.sum and\n"
	"dram__bytes_write.sum are dram__bytes.sum, and sm__cycles_elapsed.avg with its per_second is a time.\n"
	"Example: wavedeck roofline --import results.csv --device soft:mi210\n";

static const char compare_help[] =
	"Aligns the points of the sessions by their parameters; ratios are relative to the first session. For\n"
	"two deterministic devices (the software GPU), points are the same if their numbers are equal;\n"
	"otherwise, they are the same within noise if the quartiles of their samples overlap. Then lists the\n"
	"differences in device, constants, versions, kernel, compiler and clocks, and the skipped points with\n"
	"the reason.\n"
	"Of two captures, A.wbc and B.wbc: the kernels with the same names in the source, by the figures of their\n"
	"slowest launches when they were captured; no device is opened.\n"
	"  --format F            {formats}\n";

static const char export_help[] =
	"{format list}"
	"  -o OUT                the output file; default: standard output. Its extension selects the format\n"
	"                        if --format is missing. An existing file is overwritten, a recorded session\n"
	"                        is not.\n"
	"  --no-header-comments  CSV without the lines that begin with #\n"
	"In CSV, an apostrophe before a text keeps a spreadsheet from running it as a formula.\n"
	"Example: wavedeck export lab1.wbs -o lab1.html\n";

static const char batch_help[] =
	"Measures an experiment on a cluster: an array job of Slurm, each task a part of the points. The folder\n"
	"must be visible on all nodes under the same path, and the program too. `gather` joins the sessions.\n"
	"  @PRESET, NAME=...     as for run\n"
	"  --device D            on the nodes: hip:0, cuda:0, soft:mi25\n"
	"  --counters A,B        as for run\n" CLOCK_OPTION_HELP SAMPLING_OPTION_HELP
	"  --chunk N             points of a task; default: a 32nd of all\n"
	"  --folder DIR          a folder that does not exist; default: EXP-DATE.batch\n"
	"  --no-verify           do not compare the results with the reference\n"
	"  --trust               a C reference of your own may run: it is native code\n"
	"  --slurm ...           what follows goes to sbatch\n"
	"Example: wavedeck batch range-latency @published --device hip:0 --slurm -p gpu -t 30\n";

static const char gather_help[] =
	"Joins the sessions of a batch into one, equal to that of a local run, and lists the tasks whose\n"
	"points are missing, with the reason. Of a fleet, prints the table of nodes.\n"
	"  -o FILE               the joined session; default: EXP.wbs in the folder\n"
	"  --wait                wait until no task waits or runs; Ctrl-C stops waiting, not the jobs\n"
	"  --resubmit            submit the tasks again that have ended without all their points; what they\n"
	"                        measured is kept\n"
	"  --metric M            of a fleet: the metric to compare\n"
	"  --format F            of a fleet: table or csv\n"
	"  --slurm ...           with --resubmit: further options of sbatch, such as -t 60\n"
	"Exit status: 0 all points are measured, 1 some are missing.\n"
	"Example: wavedeck gather range-latency-2026-03-07_141502.batch --resubmit --wait\n";

static const char fleet_help[] =
	"Measures the same points on every node that the options of sbatch select, one job for each node, waits\n"
	"for them, and prints each node relative to the median over the nodes, outliers first.\n"
	"  @PRESET, NAME=...     as for run\n"
	"  --device D            on the nodes: hip:0, cuda:0, soft:mi25\n"
	"  --counters A,B        as for run\n" CLOCK_OPTION_HELP SAMPLING_OPTION_HELP
	"  --metric M            the metric to compare; default: the experiment's first\n"
	"  --format F            table or csv\n"
	"  --folder DIR          a folder that does not exist; default: EXP-DATE.fleet\n"
	"  --no-verify           do not compare the results with the reference\n"
	"  --trust               a C reference of your own may run: it is native code\n"
	"  --no-wait             only submit; `wavedeck gather FOLDER` prints the table later\n"
	"  --slurm ...           what follows goes to sbatch; -p and -w also select the nodes\n"
	"Example: wavedeck fleet stream-bandwidth --device hip:0 --slurm -p gpu\n";

static const char capture_help[] =
	"Runs the program on the software GPU and keeps launches in one file, with what they need to run again:\n"
	"memory, caches, code, and the sources that the code names (compile with -g). `wavedeck run FILE` and\n"
	"`wavedeck FILE` run them again, with the same cycles, or on another GPU; without the program and ROCm.\n"
	"The file has data of the program's memory, and only you can read it.\n"
	"  -o FILE               default: PROGRAM.wbc in the current folder\n"
	"  --each-kernel         the slowest launch of each kernel (default)\n"
	"  --slowest N           the N slowest launches\n"
	"  --launch LIST         launches by their numbers in the process, from 0: 3,7-9\n"
	"  --kernel REGEX        only kernels with such a name (POSIX extended), as in the source or as a symbol\n"
	"  --model M             as for exec\n"
	"  --no-sources          without the sources\n"
	"  --no-check            do not check that the launches run again\n"
	"  --limit-bytes N       at most so much before compression; default: 4 GiB\n"
	"Exit status: that of the program, 1 or 2 if nothing was kept, 130 interrupted.\n"
	"Example: wavedeck capture --kernel 'gemm|reduce' -- ./app 1024\n";

static const char exec_help[] =
	"  --model M             mi25, another model (`wavedeck devices` lists them), or mi25,NAME=VALUE,...\n"
	"                        with changed constants. Several GPUs: 'mi25*2', mi25+mi60, or\n"
	"                        'mi25*2,NAME=VALUE+mi60'. Default: for each program that starts, the first\n"
	"                        model for which it has code, or else mi25. A program that has code, but none\n"
	"                        for its GPU, is not started (status 2)\n"
	"  --virtual-clock       the program's clocks and sleeps follow the GPU's virtual time, and the CPU\n"
	"                        time of its own work; without it, a program that times itself with the\n"
	"                        host's clock measures the simulation\n"
	"  --profile             at the end, a table by kernel: launches, time of the GPU, wave instructions,\n"
	"                        time of the simulation, cycles by stall reason, counters\n"
	"  --timeline FILE       write the program's kernels, copies and waits in virtual time, for\n"
	"                        ui.perfetto.dev or chrome://tracing\n"
	"  --threads N           simulate each launch on N threads of this machine, 1 to 64; default: as many as\n"
	"                        cores are idle. Times and results are the same for any number\n"
	"  --no-progress         do not show the progress of launches that take long: on a terminal, a line that\n"
	"                        changes; elsewhere, one line for a launch that has run for a minute\n"
	"  --check[=LIST]        report what the kernels do wrong, with source lines (compile with -g): memory,\n"
	"                        init, race, global, barrier, portable, loads, leak, align.\n"
	"                        Default: memory,init,race,barrier\n" CHECK_REPORT_HELP
	"SIGINT and SIGTERM end the program with its table, timeline and report as well, and name the kernel that\n"
	"they interrupt. SOFTGPU_STATISTICS=1 prints the table without profiling, which is faster.\n"
	"Example: wavedeck exec -- rocminfo\n"
	"         wavedeck exec --virtual-clock -- ./bandwidth\n"
	"         wavedeck exec --model 'mi25*2' -- ./peer-copy\n"
	"         wavedeck exec --check --error-exitcode 9 -- ./app\n";

/* In the order of `wavedeck --help`. */
static const struct command commands[] = {
	{"list", "[CAPTURE.wbc] [--format F]", "list the experiments, or the kernels of a capture",
		"  --format F            table (default), json or csv; --json is the same as --format json\n"
		"The number of experiments is printed on a terminal only.\n",
		command_list, 0},
	{"show", "EXP|PATH.lua [--device D] [--json]",
		"show an experiment's question, parameters, metrics and published values",
		"  --device D            for this device: its defaults, the words of its vendor, and the published values\n"
		"                        of its target only\n"
		"  --json                as JSON\n",
		command_show, 0},
	{"devices", "[--model M] [--test [DEVICE]] [--json]",
		"list the devices, a model's hardware constants, or test a device",
		"  --model mi25          list every constant of a software GPU: value, unit, range, source\n"
		"  --test [DEVICE]       test timer resolution, empty launch, events against the wall clock, and\n"
		"                        copies\n"
		"  --json                as JSON\n",
		command_devices, 0},
	{"run", "EXP|PATH.lua|./app [@PRESET] [NAME=VALUE|NAME=A..B[:x2|:+16]|NAME=a,b,c]... [OPTIONS]",
		"measure an experiment", run_help, command_run, EXPORT_TO_TERMINAL | EXPORT_TO_FILE},
	{"new", "FILE.hip|FILE.wbc [KERNEL] [-o FILE.lua|FOLDER]", "write an experiment file for a kernel of your own",
		"The file has the kernel's parameters, as the compiler knows them. Sizes and values are guesses, and\n"
		"marked; a reference is to be filled in. It is written next to the source, and replaces no file.\n"
		"  KERNEL                needed if the source has several\n"
		"  -o FILE.lua           where to write it, in the folder of the source\n"
		"Of a capture: a new folder with its launches, their code and sources, and the experiment file of a kernel,\n"
		"without one that of the slowest launch. It is named after the kernel, or by -o FOLDER.\n"
		"Example: wavedeck new vadd.hip && wavedeck run ./vadd.lua\n",
		command_new, 0},
	{"edit", "EXP|PATH.lua [@PRESET] [NAME=...]... [--device D] [--reset] [--trust]",
		"edit a copy of a kernel and compare it with the original", edit_help, command_edit, 0},
	{"validate", "[--device D] [--workers N] [--limit SECONDS] [--without PROGRAM] [--summary] [--json] [EXP...]",
		"compare the device with published measurements", validate_help, command_validate, 0},
	{"roofline", "--import FILE.csv... [--join] [--device D] [--json]",
		"place the kernels of profilers' files on a roofline", roofline_help, command_roofline, 0},
	{"open", "FILE [--format F]", "open a recorded session",
		"On a terminal, opens the session in the workbench. With --format, or without a terminal, prints it.\n"
		"  --format F            {formats}\n"
		"  --no-header-comments  CSV without the lines that begin with #\n",
		command_open, EXPORT_TO_TERMINAL},
	{"compare", "A B... [--format F]", "compare recorded sessions point by point, or the kernels of two captures",
		compare_help, command_compare, EXPORT_COMPARISON},
	{"export", "FILE [--format F] [-o OUT]", "convert a recorded session for other programs", export_help,
		command_export, EXPORT_TO_FILE},
	{"isa", "EXP|KERNEL|FILE [NAME=VALUE...|KERNEL] [--arch gfx900] [--profile] [--advice] [--diff WHAT]",
		"show a kernel's hot loop, dependence chain, registers, LDS, scratch and occupancy",
		"FILE is a HIP program, a library, an object file or a code object: a table of its kernels, or with KERNEL,\n"
		"a part of a name, that kernel, with its source lines after -g; it is not run. FILE can be a source (.hip, .s).\n"
		"  --all                 the whole kernel\n"
		"  --arch ARCH           the target of the code; default: the device's, gfx900, or of a FILE without code\n"
		"                        for that, the first it has\n"
		"  --diff WHAT           next to another variant, aligned: a choice such as compiled, NAME=VALUE, or\n"
		"                        edited for the copy made by `edit`\n"
		"  --renamed             with --diff: ignore register numbers and branch distances\n"
		"  --profile             run the experiment's default point on the software GPU and print its cycle\n"
		"                        breakdown, and for each instruction how often it was issued and its issue\n"
		"                        and stall cycles\n"
		"  --advice              what costs the kernel time, with its numbers, and what to try, as in the code\n"
		"                        view; of an experiment after its profile, otherwise from the code alone\n"
		"  --device D            the device for --profile: soft:mi25, or with changed constants\n"
		"                        soft:mi25,l1_bytes=65536; its target is the default of --arch\n"
		"Example: wavedeck isa range-latency --profile rangesize=32KiB\n"
		"         wavedeck isa cacheline-stride --diff compiled\n"
		"         wavedeck isa ./app\n"
		"         wavedeck isa ./app add --arch gfx906\n",
		command_isa, 0},
	{"lesson", "[NAME [STEP]|--check [NAME|FILE]...|--progress [NAME]...|--sources [NAME]...|NAME --handout FILE]",
		"list the lessons, print one or a handout, run one of its steps, print your results or the sources of the answers",
		"  --check [NAME]...     run the steps, check the numbers in the lessons, and compare ticked choices with the curves;\n"
		"                        FILE.md: a lesson of your own; all lessons take minutes\n"
		"  --device D            with --check: soft:mi25 (default), or another device, to see which numbers\n"
		"                        differ there\n"
		"  --progress [NAME]...  your result for each question of these lessons, or of all\n"
		"  --sources [NAME]...   on what each answer of these lessons rests, or of all: a measurement of this board or of\n"
		"                        another one, a manual, a definition, or the software GPU alone\n"
		"  --format FORMAT       with --progress and --sources: text (default), csv or json; with --sources also markdown\n"
		"  --handout FILE        write the lesson to FILE.html or FILE.txt, to print and hand out; NAME can be a file\n"
		"  --answers             with --handout: with the answers and the reasons for all choices\n"
		"Example: wavedeck lesson caches 1\n"
		"         wavedeck lesson --progress --format csv\n"
		"         wavedeck lesson --sources caches\n"
		"         wavedeck lesson lds --handout lds.html\n",
		command_lesson, 0},
	{"capture", "[-o FILE] [OPTIONS] -- PROGRAM [ARGUMENTS]", "keep launches of a HIP program, to run them again",
		capture_help, command_capture, 0},
	{"exec", "[--model mi25] [OPTIONS] -- PROGRAM [ARGUMENTS]", "run any HIP program on the software GPU",
		exec_help, command_exec, 0},
	{"batch", "EXP|PATH.lua [@PRESET] [NAME=...]... [OPTIONS] --slurm [SBATCH OPTIONS]",
		"measure an experiment as an array job of Slurm", batch_help, command_batch, 0},
	{"gather", "FOLDER [-o FILE] [--wait] [--resubmit] [--slurm SBATCH OPTIONS]",
		"join the sessions of a batch, say what is missing, submit it again", gather_help, command_gather, 0},
	{"fleet", "EXP|PATH.lua [@PRESET] [NAME=...]... [OPTIONS] --slurm [SBATCH OPTIONS]",
		"measure the same points on every node and compare the nodes", fleet_help, command_fleet, 0},
	{"batch-task", "FOLDER N", "measure the points of a task of a batch (for internal use)", "", command_batch_task,
		0},
	{"doctor", "", "check the installation and show how to fix each problem", "", command_doctor, 0},
	{"install", "--via WHERE [--device D]", "copy this program to another machine, for `run --via`",
		"Copies the program, its kernels and the software GPU through the command's standard input to\n"
		"~/.local/share/wavedeck there, prints the line for ~/.config/wavedeck/hosts, and opens the device\n"
		"there once, which says what is missing.\n"
		"  --via WHERE           a command that starts a program there, such as 'ssh node7', or a name from\n"
		"                        ~/.config/wavedeck/hosts\n"
		"  --device D            the device that is opened; default soft:mi25\n"
		"Example: wavedeck install --via 'ssh node7'\n",
		command_install, 0},
	{"worker", "--device D", "serve a device on standard input and output (for internal use)", "", command_worker,
		0},
	{"completion", "bash|zsh", "print a shell completion script",
		"Completes commands, options, experiments, parameters and settings. `make install` installs both\n"
		"scripts.\n"
		"Example: wavedeck completion bash >~/.local/share/bash-completion/completions/wavedeck\n",
		command_completion, 0},
	{"version", "", "print the version; --version does the same", "", command_print_version, 0},
	{"help", "[COMMAND|TOPIC] [--man]", "show this list, a command's options, or a topic of the manual",
		"  --man                 the whole manual as roff: wavedeck help --man | man -l -\n",
		command_print_help, 0},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Words that people write as a command, and what does that. */
static const struct {
	const char *word, *instead;
} other_words[] = {
	{"check", "wavedeck exec --check -- ./app"},
};

static const char *find_other_word(const char *name)
{
	for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
		if (!strcmp(name, other_words[i].word))
			return other_words[i].instead;
	return NULL;
}

const struct command *command_find(const char *name, struct err *e)
{
	const char *names[COMMANDS], *instead = find_other_word(name);
	for (int i = 0; i < COMMANDS; i++) {
		names[i] = commands[i].name;
		if (!strcmp(name, names[i]))
			return &commands[i];
	}
	const char *near = find_nearest_name(name, names, COMMANDS);
	if (instead)
		err_set(e, ST_REQUEST, "unknown command '%.60s'; write: %s", name, instead);
	else if (near)
		err_set(e, ST_REQUEST, "unknown command '%.60s'; did you mean '%s'?", name, near);
	else
		err_set(e, ST_REQUEST, "unknown command '%.60s'; `wavedeck help` lists commands and topics", name);
	return NULL;
}

const struct command *command_at(int i)
{
	return i >= 0 && i < COMMANDS ? &commands[i] : NULL;
}

/* --- help --- */

/* One line for each export format. */
static char *format_exporter_list(unsigned contents)
{
	struct buf b = {0};
	buf_puts(&b, "");
	for (int i = 0; exporter_at(i); i++)
		if (exporter_at(i)->contents & contents)
			buf_printf(&b, "  %-20s  %-8s  %s\n", b.len ? "" : "--format F", exporter_at(i)->name,
				exporter_at(i)->help);
	return b.data;
}

static void append_replaced(struct buf *out, const char *text, const char *mark, const char *with)
{
	for (const char *at; (at = strstr(text, mark)); text = at + strlen(mark)) {
		buf_add(out, text, (size_t)(at - text));
		buf_puts(out, with);
	}
	buf_puts(out, text);
}

char *command_format_usage(const struct command *c)
{
	return xasprintf("wavedeck %s%s%s", c->name, *c->arguments ? " " : "", c->arguments);
}

char *command_format_help(const struct command *c)
{
	char *names = exporter_list_names(c->formats, ", ", " or "), *list = format_exporter_list(c->formats);
	struct buf with_list = {0}, out = {0};
	append_replaced(&with_list, c->help, "{format list}", list);
	append_replaced(&out, with_list.data, "{formats}", names);
	buf_free(&with_list);
	free(names);
	free(list);
	return out.data;
}

void command_print_usage(const struct command *c, FILE *out)
{
	char *usage = command_format_usage(c), *help = command_format_help(c);
	fprintf(out, "%s\n%s\n%s%s", usage, c->summary, *help ? "\n" : "", help);
	free(usage);
	free(help);
}

int command_print_overview(void)
{
	printf("wavedeck: experiments on a GPU, real or in software\n\n"
	       "wavedeck [EXP|PATH.lua]     open the workbench; without a terminal, measure that experiment or the default one\n"
	       "wavedeck ./app ARGUMENTS    open it on a HIP program; any word with a slash that can be executed is one\n"
	       "wavedeck FILE.wbc           open it on captured launches\n"
	       "wavedeck FILE.wbs           open it on a recorded session\n"
	       "wavedeck --script FILE      run screen actions from a file and dump the screen as text\n"
	       "wavedeck --device D         the device for the workbench or the script\n"
	       "wavedeck --lock-clocks MHZ  lock the clock of a GPU of NVIDIA for the workbench\n"
	       "wavedeck --set NAME=VALUE   change a setting, for any command\n");
	for (int i = 0; i < COMMANDS; i++)
		printf("wavedeck %-18s %s\n", commands[i].name, commands[i].summary);
	printf("\nwavedeck help COMMAND shows a command's arguments. Topics for wavedeck help TOPIC:\n");
	const char *topic, *about;
	for (int i = 0; (topic = manual_topic_name(i, &about)); i++)
		printf("  %-12s %s\n", topic, about);
	return ST_OK;
}

static void ignore_mistake(void *ctx, const char *line)
{
	(void)ctx;
	(void)line;
}

static int command_print_version(int argc, char **argv)
{
	if (argc > 1)
		return command_report_extra_word("version", argv[1]);
	printf("wavedeck %s\n", WAVEDECK_VERSION);
	return ST_OK;
}

static int command_print_help(int argc, char **argv)
{
	struct err e = {0};
	cli_frontend()->load_keys(ignore_mistake, NULL); /* help shows the user's own keys */
	if (argc > 1 && !strcmp(argv[1], "--man")) {
		manual_print_roff();
		return ST_OK;
	}
	if (argc > 1 && manual_print_topic(argv[1]))
		return ST_OK;
	bool overview = argc < 2 || !strcmp(argv[1], "wavedeck"); /* error messages point to `help wavedeck` */
	const struct command *c = overview ? NULL : command_find(argv[1], &e);
	if (e.text[0])
		return command_report_failure(&e);
	if (!c)
		return command_print_overview();
	command_print_usage(c, stdout);
	return ST_OK;
}
