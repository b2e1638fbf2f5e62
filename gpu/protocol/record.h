/* The records that a worker and its front end exchange, one JSON object a line; a recorded session holds the same
 * records.
 *
 * Every record has "type". Numbers are in the base unit; a reading that is not there is null, never 0.
 *
 * Front end to worker
 *   {"type":"job","job":7,"point":3,"experiment":"range-latency","params":{"rangesize":4096},
 *    "kernel":{"file":"chase.hip","defines":"","entry":"chase_range"},
 *    "buffers":[{"name":"buf","type":"int","count":1024,"fill":16},{"name":"out","type":"int","count":1}],
 *    "args":[{"type":"const int *","buffer":"buf"},{"type":"int","value":3}],
 *    "grid":[1,1,1],"block":[1,1,1],"dynamic_lds":0,
 *    "reference":"chase_range"|null,"tolerance":0 | {"relative":1e-5,"absolute":0,"ulp":2},"verify":true,"launches":10
 * | absent (1), "samples":{"min":5,"max":30,"target":0.005,"seconds":2},
 *    "contract":[{"isa":"gfx9","instruction":"global_load_dword","count":1,"where":"hot_loop"}] | absent,
 *    "counters":["SQ_WAVES"] | absent, "profile":true | absent, "needs":["gfx11"] | absent,
 *    "measures":{"experiment":"fma-waves","params":{..}} | absent,   whose point this is; comes back in the point
 * record "formula":true | absent,         nothing to do: the point record comes back without seconds
 *    "compile_only":true | absent,    the compiler's verdict is the result
 *    "steps":[{"copy":"to_device"|"to_host","buffer":"in","offset":0,"bytes":4096,"stream":0},
 *             {"launch":true,"grid":[4,1,1],"block":[256,1,1],"values":[{"arg":2,"value":1024}],"stream":1},
 * {"wait":1,"stream":0}] | absent, "host":"pinned"|"pageable",      of the copies "self_test":"TIMER" | absent,    no
 * point but a check of the device (gpu/controller/selftest.h): the point record has "self_test" and "value" instead of
 * seconds "inside":{"waves":{"cu":0,"from":0,"to":20000,"most":8000}, of the sample's launch, cycles; "to" 0 or absent:
 * to its end; without "cu": of all "sets":{"cache":"L1"|"L2"|"scalar"|"LDS","instance":0 | absent: all},
 *       "trace":{"wave":0,"from":0,"steps":256,"cycle":900 | absent} |     from that step of the wave on, not before
 * that cycle
 *               {"wave":0,"offset":64,"nth":3,"steps":1}} | absent}   from the fourth time on that it issues the
 * instruction there A float buffer may have a "tolerance" of its own. "seconds" are of one launch, or of the whole
 * sequence of steps. fill: a number, or "index" (element i holds i), or "random" (fixed seed); absent is 0.
 *   {"type":"cancel","job":7}            that job and what is queued behind it; without "job": everything
 *   {"type":"ping","seq":1}
 *   {"type":"quit"}
 *
 * Worker to front end
 *   {"type":"hello","protocol":1,"program":"wavedeck 0.1.0","pid":123}              first
 *   {"type":"device","device":"soft:mi25","name":"Radeon Instinct MI25","arch":"gfx900","kind":"soft"|"hip"|"replay",
 *    "deterministic":true,"properties":{"compute_units":64,...},"versions":{"hip":"5.2...","hip_library":"/usr/lib/.../libamdhip64.so.5",
 *    "rocm_smi":"...","driver":"...","kernel":"..."},"constants":{"l1_bytes":16384,...},"counters":{"FETCH_SIZE":"KB",...}}
 *                                                                                   when the device is open; the
 * counters there are, with their units
 *   {"type":"fatal","text":"one line with the mend","status":1|2}                   the device cannot be opened; the
 * worker ends
 *   {"type":"state","job":7,"point":3,"state":"compiling"|"running"}
 *   {"type":"progress","job":7,"point":3,"done":120,"total":1048576,                workgroups, or samples on silicon;
 * at most 10 a second "gpu_seconds":0.0008,"instructions":1200000}                                  of the running
 * launch, wave instructions; absent on silicon
 *   {"type":"point","job":7,"point":3,"experiment":"range-latency","params":{...},"status":"ok"|"failed"|"cancelled","error":"..."|absent,
 *    "error_status":1|2|absent,       with an error, as of "fatal": 2 when what was asked for is wrong (no such entry,
 * a kernel that does not compile) "seconds":[...],                 every sample, event to event "wall_seconds":[...],
 * of a sequence of steps by the host's clock, on silicon; absent otherwise
 *    "measures":{...},"accepted":true,"compiler_text":"the compiler's first error line",   as the job asked
 *    "sclk_mhz":1536|null,"mclk_mhz":945|null,"temp_c":45|null,"power_w":120|null,   means over the point's samples
 *    "clocks_moved":false,            sclk moved more than 2 % while the point was measured
 *    "verify":"ok"|"failed"|"none","verify_text":"buf[17]: 3, the reference has 4",
 *    "difference":{"out":{"unequal":3,"ulp":1},...},   components that differ from the reference's, tolerated or not,
 * and the most units in the last place; absent when nothing was compared
 *    "contract":"ok"|"broken"|"none","contract_text":"...",
 *    "kernel":{"hash":"fnv64
 * hex","compiler":"clang 15.0.6","vgprs":8,"sgprs":16,"lds":0,"scratch":0,"waves_per_simd":10},
 *    "code":{"vgprs":8,"sgprs":16,"lds_bytes":0,"scratch_bytes":0,"waves_per_simd":10,"code_bytes":512,     of the code
 * object, for the job's block
 *       "instructions":90,"bytes":508,"valu":50,"salu":30,"smem":1,"vmem":2,"lds":0,"branch":3,"internal":4,"named":{"v_fma_f32":40,...},
 *       "loop":{"instructions":43,"bytes":328,"valu":40,...,"named":{...}}},    of the hot loop; absent without one, or
 * without a disassembler "counters":{"SQ_WAVES":16}, "profile":{"cycles":147878,      of the sample's launch, when the
 * job asked for it and the device can look inside (softgpu/probe.h) "account":{"VALU":23956,"DRAM":36729,...}, cycles
 * by cause along the critical path; they sum to "cycles" "instructions":[{"offset":64,"text":"s_waitcnt
 * vmcnt(0)","count":499,"issue":1996,"stall":{"L1":65250}}]}} | absent offset in bytes from the kernel's entry; count,
 * issue and stall cycles over all waves "inside":{"cycles":147878,"causes":["VALU",...],"instructions":[[64,"s_waitcnt
 * vmcnt(0)",499],...],     as the job asked, from softgpu/probe.h; bounded by gpu/worker/launch_profile.h
 *       "waves":{"cu":0,"from":0,"to":20000,"by_cu":[4,4,...],"dropped":0,
 *          "grain":0 | 250,             0: every span; otherwise what a wave did most in every so many cycles
 *          "spans":[[wave,simd,slot,start,end,index of the cause,offset,1 issue | 0 wait,CU],...]},
 *       "sets":{"cache":"L1","totals":[{"cache":"L1","instance":0,"hits":..,"misses":..,"evictions":..},...],"cut":false,
 *          "sets":[[instance,set,hits,misses,evictions],...]},
 *       "trace":{"wave":0,"cu":0,"simd":0,"slot":0,"first":0,"ended":false,"scc":0,
 *          "s":"128 scalar registers, 8 hexadecimal digits each","v":["64 lanes of a vector register","" all 0,...],
 * before the first step "steps":[[cycle,offset,[[register,"lanes that changed, a mask","their values"],...],     by
 * operand number: s0 0, vcc 106, m0 124, exec 126, scc 253,
 *             [{"kind":"vector"|"lds"|"scalar","op":"load"|"store"|"atomic","bytes":4,"lanes":"mask","at":[addresses of
 * these lanes],      v0 256 "lines":[[address,channel,L1,L2],...],      1 hit, 0 miss, -1 not asked
 *               "cycles":64,"conflict":62,                  of the LDS banks
 *               "begin":900,"end":1076,"way":[["L1",1076],...]}]],...]} | null}      what took until which cycle; null:
 * the step never came
 *   {"type":"telemetry","sclk_mhz":..,"mclk_mhz":..,"temp_c":..,"power_w":..}       while idle, at most twice a second
 *   {"type":"log","level":"warning","text":"..."}
 *   {"type":"pong","seq":1}
 *
 * A session file is:
 * {"type":"session","schema":1,"program":..,"time":"2026-..Z","experiment":"..","title":"..","device":{the device
 * record}, "params":{fixed values},"sweep":{"param":..,"values":[..]} ...}, then point records with
 * "metrics":{"latency":239.5|null} (with "quartiles":{"latency":[237,252]} where there are several samples, "at":
 * seconds since the file was opened, "metric_error":"one line" when a metric's function failed, "verdict":"one line"
 * where the experiment has one) and "units" in the header, then {"type":"note","text":..}* and
 * {"type":"end","points":..}. See sessions/session.h.
 */
#ifndef GPU_PROTOCOL_RECORD_H
#define GPU_PROTOCOL_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define RECORD_PROTOCOL 1

enum {
	RECORD_LINE_MAX = 16 << 20
}; /* bytes; a record is a few KiB, and what is longer than this is none and is skipped unparsed */

/* "columns" of a session header, in the experiment's order: what a table or plot of the points looks like.
 *   {"params":[{"id":"stride","unit":"B","log":true,"means":"stride"},{"id":"variant","unit":"","choices":["published","compiled"]}],
 *    "metrics":[{"id":"latency","unit":"cycles","axis":0,"line":true,"log":true}], "counters":["SQ_WAVES"]}
 * "axis" 0 left, 1 right, 2 on the x axis in place of a parameter, -1 not drawn; "line" a bound, drawn without marks;
 * absent: false. "means" "footprint" or "stride": whose caches or lines can be ruled on an axis of it; absent: neither.
 * "params" of a point: numbers in the base unit; a choice is its name (an index into "choices" is understood as well).
 */

/* A reading that may not be there. */
struct reading {
	bool valid;
	double value;
};

/* The clocks of a point or of an idle moment. */
struct clocks {
	struct reading sclk_mhz, mclk_mhz, temp_c, power_w;
};

const char *record_get_type(const json_t *record); /* "" when there is none */
struct reading record_get_reading(const json_t *record, const char *key);
void record_set_reading(json_t *record, const char *key, struct reading r); /* null when invalid */
struct clocks record_get_clocks(const json_t *record);
void record_set_clocks(json_t *record, struct clocks c);
const char *record_get_text(const json_t *record, const char *key); /* "" when absent or no string */
/* A whole number as an integer where JSON can hold it exactly, else a real. */
json_t *json_exact_number(double v);
/* A string of any bytes: what is no UTF-8, such as a character cut in half, becomes '?'. Never NULL. */
json_t *json_utf8_string(const char *text);
/* One line with newline, compact; the caller frees it. Numbers are exact (17 digits at most) and in the C locale. */
char *record_format_line(const json_t *record);

#endif
