import type { RefusalCode } from '../errors/index.ts'

/** Why a text is no value of its setting: a refusal with a sentence in each language. `key` is filled in later. */
export interface SettingProblem {
  readonly ok: false
  readonly code: RefusalCode
  readonly details: Readonly<Record<string, string | number>>
}

export type SettingResult<T> = { readonly ok: true; readonly value: T } | SettingProblem

export function accepted<T>(value: T): SettingResult<T> {
  return { ok: true, value }
}

export function refused(code: RefusalCode, details: SettingProblem['details'] = {}): SettingProblem {
  return { ok: false, code, details }
}
