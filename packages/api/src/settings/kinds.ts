import { accepted, refused, type Setting, type SettingResult } from './setting.ts'

import type { JsonShape } from './shapes.ts'

const maxTextLength = 1_000_000

/** Exactly `true` or `false`, as such consoles store them. */
export function flag(options: { readonly default: boolean }): Setting<boolean> {
  return {
    control: { kind: 'flag' },
    default: options.default,
    parse: (text) =>
      text === 'true' || text === 'false' ? accepted(text === 'true') : refused('option_not_flag'),
    format: String,
  }
}

interface NumberOptions {
  readonly default: number
  readonly min?: number
  readonly max?: number
}

export function integer(options: NumberOptions): Setting<number> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options
  return numeric('integer', /^-?\d+$/, { default: options.default, min, max })
}

export function decimal(
  options: NumberOptions & {
    readonly min: number
    readonly max: number
    /** More of them are rounded away. */
    readonly decimals?: number
  },
): Setting<number> {
  const setting = numeric('decimal', /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, options)
  const { decimals } = options
  if (decimals === undefined) return setting
  return {
    ...setting,
    parse(text) {
      const parsed = setting.parse(text)
      return parsed.ok ? accepted(Number(parsed.value.toFixed(decimals))) : parsed
    },
  }
}

function numeric(
  kind: 'integer' | 'decimal',
  pattern: RegExp,
  { default: initial, min, max }: Required<NumberOptions>,
): Setting<number> {
  const problem = refused(kind === 'integer' ? 'option_not_integer' : 'option_not_number', { min, max })
  return {
    control: { kind, min, max },
    default: initial,
    parse(text) {
      const trimmed = text.trim()
      const value = pattern.test(trimmed) ? Number(trimmed) : Number.NaN
      return value >= min && value <= max ? accepted(value) : problem
    },
    format: String,
  }
}

export function choice<const Choice extends string>(
  choices: readonly Choice[],
  options: { readonly default: NoInfer<Choice> },
): Setting<Choice> {
  return {
    control: { kind: 'choice', choices },
    default: options.default,
    parse(text) {
      const chosen = choices.find((candidate) => candidate === text)
      return chosen === undefined ? refused('option_not_choice', { choices }) : accepted(chosen)
    },
    format: String,
  }
}

interface TextOptions {
  readonly maxLength: number
  readonly default?: string
  /** Permits line breaks. Without it they are refused, so that no value can add a line to a mail header. */
  readonly multiline?: true
  /** Empty, or a full http(s) address. */
  readonly url?: true
  readonly trimTrailingSlash?: true
}

export function text(options: TextOptions): Setting<string> {
  const { maxLength, multiline = false, url = false } = options
  return {
    control: { kind: 'text', maxLength, multiline, url },
    default: options.default ?? '',
    parse(raw) {
      if (multiline) return checkCharacters(raw, maxLength, manyLines)
      const line = options.trimTrailingSlash ? raw.trim().replace(/\/+$/, '') : raw.trim()
      return url && line !== '' && !isHttpUrl(line)
        ? refused('option_not_url')
        : checkCharacters(line, maxLength, oneLine)
    },
    format: String,
  }
}

/** Declares a secret, which never leaves the server once stored. An empty text means "not set". */
export function secret(): Setting<string> {
  const maxLength = 8192
  return {
    control: { kind: 'secret', maxLength },
    default: '',
    parse: (raw) => checkCharacters(raw.trim(), maxLength, oneLine),
    format: String,
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const oneLine = /[\u0000-\u001f\u007f]/
// PostgreSQL cannot store a NUL in a text.
const manyLines = /\0/

function checkCharacters(value: string, maxLength: number, forbidden: RegExp): SettingResult<string> {
  if (value.length > maxLength) return refused('option_too_long', { max: maxLength })
  return forbidden.test(value) ? refused('option_control_character') : accepted(value)
}

/** Class of browsers and the server alike, which the language's own library does not declare. */
declare const URL: {
  new (address: string): { readonly port: string }
  canParse(address: string): boolean
}

/** An address that can be called: port 0 is nobody's. */
function isHttpUrl(value: string): boolean {
  if (!/^https?:\/\/[^\s/?#]+[^\s]*$/i.test(value) || !URL.canParse(value)) return false
  return new URL(value).port !== '0'
}

/** Turns one entry of a list into its canonical spelling, or refuses it. */
export type ListEntry = (entry: string) => SettingResult<string>

interface ListOptions {
  readonly default: readonly string[]
  readonly entry?: ListEntry
  readonly maxEntries?: number
  readonly maxLength?: number
}

const defaultEntries = 20_000

/** A text with one entry per line; surrounding blanks, empty lines and repetitions are dropped. */
export function lines(options: ListOptions): Setting<readonly string[]> {
  return list('lines', '\n', options)
}

export function commas(options: ListOptions): Setting<readonly string[]> {
  return list('commas', ',', options)
}

function list(kind: 'lines' | 'commas', separator: string, options: ListOptions): Setting<readonly string[]> {
  const {
    entry: checkEntry = accepted<string>,
    maxEntries = defaultEntries,
    maxLength = maxTextLength,
  } = options
  return {
    control: { kind },
    default: Object.freeze([...options.default]),
    parse(raw) {
      const checked = checkCharacters(raw, maxLength, manyLines)
      if (!checked.ok) return checked
      const entries = new Set<string>()
      for (const part of raw.split(separator)) {
        if (part.trim() === '') continue
        const entry = checkEntry(part.trim())
        if (!entry.ok) return entry
        entries.add(entry.value)
      }
      return entries.size > maxEntries
        ? refused('option_too_many', { max: maxEntries })
        : accepted(Object.freeze([...entries]))
    },
    format: (entries) => entries.join(separator),
  }
}

/** A JSON text of the given shape. The default passes through the same shape, so that it is checked and frozen too. */
export function json<T>(shape: JsonShape<T>, initial: unknown): Setting<T> {
  return {
    control: { kind: 'json' },
    default: defaultOf(shape, initial),
    parse(raw) {
      if (raw.length > maxTextLength) return refused('option_too_long', { max: maxTextLength })
      const parsed = parseJson(raw)
      return parsed.ok ? shape(parsed.value) : parsed
    },
    format: (value) => JSON.stringify(value),
  }
}

function parseJson(raw: string): SettingResult<unknown> {
  try {
    return accepted(JSON.parse(raw))
  } catch {
    return refused('option_not_json')
  }
}

function defaultOf<T>(shape: JsonShape<T>, initial: unknown): T {
  const checked = shape(initial)
  if (!checked.ok) throw new Error(`A default of the settings catalogue is invalid: ${checked.code}`)
  return checked.value
}
