import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { stoppingFile, watchdogFile } from './dataFiles';
import { forgetIdentity, identify, readAlive, terminate, writeIdentity } from './processIdentity';

/**
 * Ends the servers of a data directory when its owner is gone: SIGTERM after 2 s, SIGKILL 2 s later; a start within the
 * first 2 s takes the servers over.
 * A shell script, because it must outlive Node, costs a megabyte instead of forty, and runs alike from sources and from dist.
 * It remembers the servers, so that it can end them even after the directory was deleted. `started` is `identify` of processIdentity.ts.
 */
const SCRIPT = `
set -f
umask 077
cd "$1" || exit 1
started() {
  if [ -r /proc/self/stat ]; then
    { read -r line < "/proc/$1/stat"; } 2>/dev/null || return 0
    set -- \${line##*) }
    case "$1" in Z|X) ;; *) echo "\${20}" ;; esac
  else
    set -- $(LC_ALL=C ps -o stat= -o lstart= -p "$1")
    case "$1" in ''|Z*) ;; *) shift; IFS=_; echo "$*" ;; esac
  fi
}
alive() { [ -n "$2" ] && [ "$(started "$1")" = "$2" ]; }
recall() { { read -r known < "$1"; } 2>/dev/null && echo "$known" || echo "$2"; }
end() { if alive "$2" "$3"; then kill "-$1" "$2"; else return 1; fi; }
pause() { sleep 0.5 || sleep 1; }
missed=0
while [ "$missed" -lt 4 ]; do
  pause
  if alive $(recall owner.pid ''); then missed=0; else missed=$((missed + 1)); fi
  mongod=$(recall mongod.pid "$mongod")
  redis=$(recall redis-server.pid "$redis")
done
: > watchdog.stopping
end TERM $mongod
end TERM $redis
waited=0
while [ "$waited" -lt 4 ] && { alive $mongod || alive $redis; }; do pause; waited=$((waited + 1)); done
end KILL $mongod
end KILL $redis
rm -f mongod.pid redis-server.pid watchdog.pid watchdog.stopping
`;

/** Starts the watchdog of a data directory whose owner is written down. */
export function startWatchdog(dataDir: string): void {
  const child = spawn('sh', ['-c', SCRIPT, 'loyalty-watchdog', dataDir], { detached: true, stdio: 'ignore' });
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (!identity) throw new Error('the watchdog did not start');
  child.unref();
  writeIdentity(watchdogFile(dataDir), identity);
}

/** Tells whether the watchdog of a data directory runs. */
export function hasWatchdog(dataDir: string): boolean {
  return readAlive(watchdogFile(dataDir)) !== undefined;
}

/** Ends the watchdog and tells whether it had begun to end the servers. */
export async function stopWatchdog(dataDir: string): Promise<{ hadBegunToStop: boolean }> {
  const watchdog = readAlive(watchdogFile(dataDir));
  if (watchdog) await terminate(watchdog, 0);
  forgetIdentity(watchdogFile(dataDir));
  const hadBegunToStop = existsSync(stoppingFile(dataDir));
  rmSync(stoppingFile(dataDir), { force: true });
  return { hadBegunToStop };
}
