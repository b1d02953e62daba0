import { cyclesIn } from './cycles.ts'
import type { Edge } from './graph.ts'

/** A rule about who may not know whom. Paths are regular expressions; `$1` in `toNot` is what the first group of `from` matched. */
export interface Rule {
  readonly name: string
  readonly because: string
  readonly from: RegExp
  readonly breaks: (edge: Edge, from: RegExpExecArray) => boolean
}

/** `from` may not know `to`, except what `toNot` matches. */
export function forbid(name: string, because: string, from: RegExp, to: RegExp, toNot?: string): Rule {
  const breaks = (edge: Edge, match: RegExpExecArray) =>
    to.test(edge.to) && !isExcepted(edge.to, match, toNot)
  return { name, because, from, breaks }
}

/** `from` may know nothing but itself and what `to` matches. */
export function allowOnly(name: string, because: string, from: RegExp, to: RegExp): Rule {
  return { name, because, from, breaks: (edge, [self]) => !edge.to.startsWith(self) && !to.test(edge.to) }
}

function isExcepted(target: string, match: RegExpExecArray, toNot: string | undefined): boolean {
  return toNot !== undefined && new RegExp(toNot.replaceAll('$1', match[1] ?? '')).test(target)
}

/** One line per broken rule, ready to print; empty when every edge is allowed. */
export function violations(edges: readonly Edge[], rules: readonly Rule[]): readonly string[] {
  const broken = edges.flatMap((edge) =>
    rules.flatMap((rule) => {
      const match = rule.from.exec(edge.from)
      if (match === null || !rule.breaks(edge, match)) return []
      return [`${edge.from}:${edge.line} knows ${edge.to}\n  ${rule.name}: ${rule.because}`]
    }),
  )
  return [...broken, ...cycleViolations(edges)]
}

/** Finds cycles. A worker may share types with the module that starts it: they are two programs. */
function cycleViolations(edges: readonly Edge[]): readonly string[] {
  const known = new Map<string, string[]>()
  for (const { from, to, isSeparateProgram } of edges)
    if (!isSeparateProgram) known.set(from, [...(known.get(from) ?? []), to])
  return cyclesIn(known.keys(), (module) => known.get(module) ?? []).map(
    (members) =>
      `${members.join(' ⇄ ')}\n  no-cycles: modules that know each other cannot be read or changed alone`,
  )
}
