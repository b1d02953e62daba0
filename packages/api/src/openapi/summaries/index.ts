import type { Call } from '../../call.ts'
import english from './en.json' with { type: 'json' }
import chineseTexts from './zh.json' with { type: 'json' }

/** Texts of both languages are files of their own; the compiler refuses a call that lacks one in Chinese. */
const chinese: Readonly<Record<keyof typeof english, string>> = chineseTexts

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
