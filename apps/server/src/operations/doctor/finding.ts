/** Finding of one check of an installation. */
export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail'
  /** Subject of the check, in a word or two. */
  readonly what: string
  /** Sentence about the observation and, where something is wrong, the mend. */
  readonly text: string
}

/** A part of the doctor: never throws. */
export type Check = () => Promise<readonly Finding[]>

export function ok(what: string, text: string): Finding {
  return { state: 'ok', what, text }
}

export function warn(what: string, text: string): Finding {
  return { state: 'warn', what, text }
}

export function fail(what: string, text: string): Finding {
  return { state: 'fail', what, text }
}

/** Runs every check; one that breaks is a finding itself. */
export async function runChecks(checks: readonly Check[]): Promise<readonly Finding[]> {
  const found: Finding[] = []
  for (const check of checks)
    found.push(
      ...(await check().catch((error: unknown) => [fail('doctor', `a check broke: ${String(error)}`)])),
    )
  return found
}
