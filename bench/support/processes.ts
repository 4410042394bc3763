// Starts child processes and ends every one of them, also when the benchmark fails.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export type Program = {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Resolves with the first line of standard output that matches; rejects when the program ends before. */
  readonly line: (pattern: RegExp) => Promise<string>;
  /** SIGTERM, and SIGKILL for what does not end within half a minute. */
  readonly stop: () => Promise<void>;
};

type Env = Readonly<Record<string, string>>;

const STOP_MS = 35_000;
const running = new Set<Program>();

export function startProgram(command: string, args: readonly string[], env: Env = {}): Program {
  return watch(spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] }));
}

/** A program of this folder that communicates with this process by messages. */
export function startPeer(path: string): Program {
  return watch(
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      serialization: 'advanced',
    }),
  );
}

function watch(child: ChildProcess): Program {
  const command = child.spawnargs.join(' ');
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const lines: string[] = [];
  let onLine = (): void => undefined;
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      onLine();
    });
  }
  const program: Program = {
    pid: child.pid ?? 0,
    child,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        onLine = () => {
          const found = lines.find((line) => pattern.test(line));
          if (found !== undefined) resolve(found);
        };
        onLine();
        void ended.then(() => reject(new Error(`${command} ended early:\n${lines.join('\n')}`)));
      }),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(deadline);
      running.delete(program);
    },
  };
  running.add(program);
  return program;
}

/** For the end of the benchmark, also an early one. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((program) => program.stop()));
}

/** Runs a command to its end, with `input` as its standard input; rejects with its output if it fails. */
export async function run(command: string, args: readonly string[], env: Env = {}, input = ''): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  // A command that does not read it may have ended.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [out, err] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return chunks;
  }) as [Buffer[], Buffer[]];
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')}: exit ${code}\n${Buffer.concat([...out, ...err]).toString()}`);
  return Buffer.concat(out).toString();
}

/** Whether the command exists. */
export async function hasCommand(name: string): Promise<boolean> {
  try {
    await run('sh', ['-c', `command -v ${name}`]);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
