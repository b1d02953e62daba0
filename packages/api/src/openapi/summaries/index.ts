import type { Call } from '../../call.ts'
import { summaries as english } from './en.ts'
import { summaries as chinese } from './zh.ts'

export interface Summary {
  readonly en: string
  readonly zh: string
}

/** One line on a call in both languages; `undefined` where there is none. */
export function summaryOf({ method, path }: Pick<Call, 'method' | 'path'>): Summary | undefined {
  const line = `${method} ${path.endsWith('/') ? path.slice(0, -1) : path}`
  return hasSummary(line) ? { en: english[line], zh: chinese[line] } : undefined
}

function hasSummary(line: string): line is keyof typeof english {
  return Object.hasOwn(english, line)
}
