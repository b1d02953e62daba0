import type { Case, Check, Outcome } from './cases.ts'
import { responses } from './upstreams.ts'

/** Verdict on one check: `undefined` where the framework does not have it. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly why: string } | undefined

const says = (outcome: Outcome, ...texts: readonly string[]): string | undefined => {
  const missing = texts.find((text) => !(outcome.text ?? '').includes(text))
  return missing === undefined ? undefined : `"${missing}" is not in "${outcome.text ?? ''}"`
}

/** Finders of the fault in an outcome; `undefined` when it is right. */
const faults: Readonly<Record<Check, (outcome: Outcome) => string | undefined>> = {
  plain: (outcome) => says(outcome, responses.text),
  stream: (outcome) => says(outcome, responses.text),
  tools: (outcome) => says(outcome, ...responses.weather),
  schema: ({ value }) =>
    JSON.stringify(value) === JSON.stringify(responses.city) ? undefined : `it is ${JSON.stringify(value)}`,
  image: (outcome) => says(outcome, responses.image),
  reasoning: (outcome) =>
    (outcome.reasoning ?? '').trim() === responses.thought
      ? says(outcome, responses.text)
      : `the reasoning is "${outcome.reasoning ?? ''}"`,
  embeddings: ({ value }) => (value === 2 ? undefined : `there are ${JSON.stringify(value)} vectors`),
  limit: wrongClass,
  overflow: wrongClass,
}

/** The error has the class that stands for it, and says what its class does not. */
function wrongClass({ error, expects = '' }: Outcome): string | undefined {
  if (error === undefined) return 'there was no error'
  const [name = '', word = ''] = expects.split(':')
  const isRight = error.classes.includes(name) && error.message.toLowerCase().includes(word.toLowerCase())
  return isRight ? undefined : `no ${expects}, but ${error.classes[0]}: ${error.message.slice(0, 300)}`
}

/** Judges what a driver wrote of a case. */
export function judge({ check }: Case, outcome: Outcome | undefined): Verdict {
  if (outcome === undefined) return { ok: false, why: 'the driver wrote nothing of it' }
  if (outcome.lacks) return undefined
  const isFailure = check === 'limit' || check === 'overflow'
  if (outcome.error !== undefined && !isFailure) {
    const { classes, message } = outcome.error
    return { ok: false, why: `${classes[0]}: ${message.slice(0, 600)}` }
  }
  const why = faults[check](outcome)
  return why === undefined ? { ok: true } : { ok: false, why }
}

/** Judges the usage that a framework reports against what the gateway charged. */
export function judgeUsage(
  outcome: Outcome | undefined,
  charged: readonly [number, number] | undefined,
): Verdict {
  if (outcome?.usage === undefined || outcome.error !== undefined) return undefined
  const reported = outcome.usage.join(' + ')
  const [input, output] = charged ?? [0, 0]
  return reported === `${input} + ${output}`
    ? { ok: true }
    : { ok: false, why: `it reports ${reported} tokens, charged are ${input} + ${output}` }
}
