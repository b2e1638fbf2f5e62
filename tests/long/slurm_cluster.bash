# A Slurm of the test's own on loopback: munged, slurmctld and three slurmd, nodes n1 to n3, from the distribution's
# packages. Sourced after tap.bash.
# shellcheck shell=bash disable=SC2154 # tap.bash sets tmp
cluster=$tmp/slurm
export SLURM_CONF=$cluster/slurm.conf
PATH=$PATH:/usr/sbin:/sbin
declare -A slurmd_pids
daemon_pids=()

find_cluster_programs() {
	local program
	for program in slurmctld slurmd munged sbatch scontrol; do
		command -v "$program" >/dev/null || { echo "$program is not installed"; return 1; }
	done
}

# Five ports that no program listens to. The kernel does not give ports below 32768 to programs that ask for any.
find_cluster_ports() {
	local base port
	for ((base = 17000 + RANDOM % 10000; ; base += 5)); do
		for ((port = base; port < base + 5; port++)); do
			! grep -qi ":$(printf %04X "$port") " /proc/net/tcp /proc/net/tcp6 2>/dev/null || continue 2
		done
		echo "$base"
		return
	done
}

# A node that does not answer is down after 20 s. A requeued job starts after the life of its credential.
write_cluster_files() { # first port
	local user host
	user=$(id -un) host=$(hostname -s)
	mkdir -p "$cluster"/{state,munge,spool-n1,spool-n2,spool-n3}
	chmod 755 "$tmp" "$cluster" "$cluster/munge"
	(umask 077 && head -c 1024 /dev/urandom >"$cluster/munge/key")
	cat >"$SLURM_CONF" <<-END
		ClusterName=test
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$1
		SlurmUser=$user
		SlurmdUser=$user
		AuthType=auth/munge
		AuthInfo=socket=$cluster/munge/socket,cred_expire=5
		CredType=cred/munge
		StateSaveLocation=$cluster/state
		SlurmdSpoolDir=$cluster/spool-%n
		SlurmctldPidFile=$cluster/slurmctld.pid
		SlurmdPidFile=$cluster/slurmd-%n.pid
		SlurmctldLogFile=$cluster/slurmctld.log
		SlurmdLogFile=$cluster/slurmd-%n.log
		SlurmctldDebug=verbose
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		TaskProlog=$cluster/task_prolog
		JobAcctGatherType=jobacct_gather/none
		MpiDefault=none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		SchedulerType=sched/backfill
		SchedulerParameters=bf_interval=1,sched_interval=1
		ReturnToService=2
		SlurmdTimeout=20
		SlurmctldTimeout=20
		KillWait=2
		MinJobAge=600
		NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(($1 + 1)) CPUs=1 State=UNKNOWN
		NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(($1 + 2)) CPUs=1 State=UNKNOWN
		NodeName=n3 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(($1 + 3)) CPUs=1 State=UNKNOWN
		PartitionName=all Nodes=n1,n2,n3 Default=YES MaxTime=INFINITE State=UP
		PartitionName=two Nodes=n1,n2 MaxTime=INFINITE State=UP
	END
	write_worker
}

# The program that measures on the nodes, started through TaskProlog, can be told what to do on a node by files:
#   hold-NODE    holds back all points after so many, until the file is removed; all else passes
#   device-NODE  the device that the node has in place of the one that is asked for
write_worker() {
	printf '#!/bin/sh\necho export WAVEDECK_WORKER=%q\n' "$cluster/worker" >"$cluster/task_prolog"
	cat >"$cluster/worker" <<-END
		#!/bin/bash
		device=$cluster/device-\$SLURMD_NODENAME hold=$cluster/hold-\$SLURMD_NODENAME
		[ ! -e "\$device" ] || set -- worker --device "\$(cat "\$device")"
		[ -e "\$hold" ] || exec "$BUILD/wavedeck" "\$@"
		pass=\$(cat "\$hold") kept=()
		"$BUILD/wavedeck" "\$@" | while IFS= read -r line; do
		 	if [ -e "\$hold" ] && [[ \$line == '{"type":"point"'* ]] && [ \$((pass--)) -le 0 ]; then
		 		kept+=("\$line")
		 		continue
		 	fi
		 	[ -e "\$hold" ] || { [ \${#kept[@]} -eq 0 ] || printf '%s\n' "\${kept[@]}"; kept=(); }
		 	printf '%s\n' "\$line"
		done
	END
	chmod +x "$cluster/task_prolog" "$cluster/worker"
}

start_node() { # node
	slurmd -D -N "$1" >"$cluster/slurmd-$1.out" 2>&1 &
	slurmd_pids[$1]=$!
}

node_is() { # node, state as a pattern
	sinfo --noheader --nodes "$1" --format %T 2>/dev/null | grep -qE "^($2)$"
}

is_munge_ready() { munge --socket "$cluster/munge/socket" --no-input >/dev/null 2>&1; }
controller_answers() { scontrol ping 2>/dev/null | grep -q UP; }

start_cluster() {
	write_cluster_files "$(find_cluster_ports)"
	munged --foreground --force --key-file "$cluster/munge/key" --socket "$cluster/munge/socket" \
		--pid-file "$cluster/munge/pid" --log-file "$cluster/munge/log" --seed-file "$cluster/munge/seed" \
		>"$cluster/munge/out" 2>&1 &
	daemon_pids+=($!)
	wait_until is_munge_ready || return 1
	slurmctld -D >"$cluster/slurmctld.out" 2>&1 &
	daemon_pids+=($!)
	wait_until controller_answers || return 1
	for node in n1 n2 n3; do start_node $node; done
	for node in n1 n2 n3; do wait_until node_is $node idle || return 1; done
}

# The processes of the jobs on a node; their parents are the slurmstepd.
list_node_jobs() { # node
	grep -lsF -- "SLURMD_NODENAME=$1" /proc/[0-9]*/environ | cut -d/ -f3
}

list_node_steps() { # node
	local pid
	for pid in $(list_node_jobs "$1"); do
		pid=$(sed 's/.*) . \([0-9]*\) .*/\1/' "/proc/$pid/stat" 2>/dev/null) || continue
		! grep -qs '^slurmstepd' "/proc/$pid/comm" || echo "$pid"
	done | sort -u
}

# A machine without power: slurmd, the steps and the programs.
kill_node() { # node
	local steps
	steps=$(list_node_steps "$1")
	# shellcheck disable=SC2046,SC2086
	kill -9 "${slurmd_pids[$1]}" $steps $(list_node_jobs "$1") 2>/dev/null
	wait "${slurmd_pids[$1]}" 2>/dev/null
	return 0
}

# A machine that seems dead to slurmctld, because nothing of Slurm answers. Its programs run on.
silence_node() { # node
	local steps
	steps=$(list_node_steps "$1")
	# shellcheck disable=SC2086
	kill -9 "${slurmd_pids[$1]}" $steps 2>/dev/null
	wait "${slurmd_pids[$1]}" 2>/dev/null
	return 0
}

stop_cluster() {
	local node pid
	scancel --user "$(id -un)" 2>/dev/null
	for pid in "${slurmd_pids[@]}" "${daemon_pids[@]}"; do kill "$pid" 2>/dev/null; done
	wait "${slurmd_pids[@]}" "${daemon_pids[@]}" 2>/dev/null
	for node in n1 n2 n3; do
		# shellcheck disable=SC2046
		kill -9 $(list_node_steps $node) $(list_node_jobs $node) 2>/dev/null
	done
}
