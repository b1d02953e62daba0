/** Facts that fill every set-up. */
export interface SetupFacts {
  /** Address without a slash at its end and without a path: some programs add `/v1` themselves. */
  readonly address: string
  /** Key with its `sk-`. */
  readonly key: string
  readonly model: string
  /** The model for small work of programs that have such; the same where there is no cheaper one. */
  readonly smallModel: string
  /** Name of this installation. */
  readonly system: string
}

/** One thing to paste, and where it goes. */
export interface SetupStep {
  readonly where:
    | { readonly kind: 'shell' | 'program' }
    | { readonly kind: 'file'; readonly path: string }
    /** A field of a settings page, by the name that the page gives it. */
    | { readonly kind: 'field'; readonly name: string }
  readonly code: string
}

/** Returns the address for programs of OpenAI's format. */
export function openAiBase({ address }: SetupFacts): string {
  return `${address}/v1`
}

/** Text that a POSIX shell takes as it is: a quote inside ends the quotes, stands quoted, and begins them again. */
export function inShellQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Variables for this shell and the program that is started in it. */
export function shellStep(variables: Readonly<Record<string, string>>, program: string): SetupStep {
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}=${inShellQuotes(value)}`)
  return { where: { kind: 'shell' }, code: [...exports, program].join('\n') }
}
