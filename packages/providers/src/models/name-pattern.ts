/** Names of models as data writes them. */
export interface NamePattern {
  /** `*` is any text, `[…]` one of the characters and `[!…]` any other one. */
  readonly names: readonly string[]
  /** Names that are not meant, though they are among `names`. */
  readonly except?: readonly string[]
  /** Names are compared without their case. */
  readonly anyCase?: true
}

/** Makes the test of a pattern: whether a name matches it. */
export function nameTest({ names, except = [], anyCase }: NamePattern): (model: string) => boolean {
  const [included, excluded] = [expressionOf(names, anyCase), expressionOf(except, anyCase)]
  return (model) => included.test(model) && !excluded.test(model)
}

function expressionOf(names: readonly string[], anyCase: true | undefined): RegExp {
  // A pattern without a name matches nothing.
  const each = names.length === 0 ? ['(?!)'] : names.map(sourceOf)
  return new RegExp(`^(?:${each.join('|')})$`, anyCase === true ? 'i' : '')
}

function sourceOf(name: string): string {
  return name
    .replace(/[.+?^${}()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('[!', '[^')
}
