import type { RefusalCode, TextDetails } from '../errors/index.ts'

/** The facts that a form needs to offer a field for a setting. */
export type SettingControl =
  | { readonly kind: 'flag' }
  | { readonly kind: 'integer' | 'decimal'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'text'; readonly maxLength: number; readonly multiline: boolean; readonly url: boolean }
  | { readonly kind: 'lines' | 'commas' }
  | { readonly kind: 'json' }
  | { readonly kind: 'secret'; readonly maxLength: number }

/** One setting: stored as text, read as a value. */
export interface Setting<T> {
  readonly control: SettingControl
  readonly default: T
  parse(text: string): SettingResult<T>
  /** Text that parses back to the same value. */
  format(value: T): string
}

/** Refusal of a text that is not a value of its setting, with a sentence in each language. `key` is filled in later. */
export interface SettingProblem {
  readonly ok: false
  readonly code: RefusalCode
  readonly details: TextDetails
}

export type SettingResult<T> = { readonly ok: true; readonly value: T } | SettingProblem

export function accepted<T>(value: T): SettingResult<T> {
  return { ok: true, value }
}

export function refused(code: RefusalCode, details: SettingProblem['details'] = {}): SettingProblem {
  return { ok: false, code, details }
}
