import { afterDeadline } from '../../scripts/deadline/deadline.mjs'

/** Outcome of a program; `code` is `undefined` when its time was over. */
export interface Ended {
  readonly code: number | undefined
  /** stdout, then stderr. */
  readonly output: string
}

export interface Bounds {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Time that an idle machine may take. */
  readonly timeoutMs: number
}

/** Runs a program without a terminal and without input, in a process group of its own, which is ended when its time is over. */
export async function runBounded(
  command: readonly string[],
  { cwd, env, timeoutMs }: Bounds,
): Promise<Ended> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    detached: true,
  })
  let isOver = false
  const release = afterDeadline(timeoutMs, () => {
    isOver = true
    process.kill(-child.pid, 'SIGKILL')
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const code = await child.exited
  release()
  return { code: isOver ? undefined : code, output: `${out}\n${err}` }
}
