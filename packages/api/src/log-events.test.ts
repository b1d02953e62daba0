import { describe, expect, it } from 'bun:test'
import {
  decodeLogEvent,
  encodeLogEvent,
  type LogEvent,
  type LogEventCode,
  type LogPerson,
  type LogReader,
  logEvents,
  logSentence,
  withLogPersons,
} from './log-events.ts'

const english: LogReader = { language: 'en', DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 }
const chinese: LogReader = { ...english, language: 'zh' }
const inPoints = { DisplayInCurrencyEnabled: false }

const samples = {
  quota: 750_000,
  amount: -250_000,
  number: 7,
  duration: 1234,
  text: 'a text {quota} of somebody',
  person: { id: 4, name: 'ann' },
  refusal: { code: 'record_not_found', details: {} },
} as const

/** An event of the code, with a sample of each parameter. */
function sampleOf(event: LogEventCode): LogEvent {
  const kinds = Object.entries(logEvents[event].params)
  return { event, params: Object.fromEntries(kinds.map(([name, kind]) => [name, samples[kind]])) } as never
}

function kindsOf(code: LogEventCode): readonly string[] {
  return Object.values(logEvents[code].params)
}

function hasMoney(code: LogEventCode): boolean {
  return kindsOf(code).some((kind) => kind === 'quota' || kind === 'amount')
}

const codes = Object.keys(logEvents) as LogEventCode[]

describe('every event of the log', () => {
  it('has a sentence in both languages, with all of its parameters and no other', () => {
    for (const code of codes) {
      const { params, en, zh } = logEvents[code]
      const slots = (text: string) =>
        new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name.replace(/^(actor)_id$/, '$1')))
      expect([code, slots(en), slots(zh)]).toEqual([
        code,
        new Set(Object.keys(params)),
        new Set(Object.keys(params)),
      ])
    }
  })

  it('is read back as it was stored, and read as a sentence in each language and display', () => {
    for (const code of codes) {
      const stored = encodeLogEvent(sampleOf(code))
      expect(decodeLogEvent(stored.other)).toEqual(sampleOf(code))
      for (const reader of [english, chinese, { ...english, ...inPoints }, { ...chinese, ...inPoints }]) {
        const sentence = logSentence(stored, reader)
        expect(sentence.replaceAll(samples.text, '')).not.toMatch(/[{}]|undefined|NaN|\[object/)
        expect(/\p{Script=Han}/u.test(sentence)).toBe(reader.language === 'zh')
        expect([code, sentence.includes('＄')]).toEqual([
          code,
          reader.DisplayInCurrencyEnabled && hasMoney(code),
        ])
      }
    }
  })

  it('is an English sentence in quota units to a program that does not know its code', () => {
    for (const code of codes) {
      const stored = encodeLogEvent(sampleOf(code))
      expect(stored.content).toBe(logSentence(stored, { ...english, ...inPoints }))
    }
  })

  it('loses a person where one is taken out, and nothing else', () => {
    const erase = (person: LogPerson) => ({ ...person, name: 'erased' })
    for (const code of codes) {
      const stored = encodeLogEvent(sampleOf(code))
      const erased = withLogPersons(stored, erase)
      expect([code, erased !== undefined]).toEqual([code, kindsOf(code).includes('person')])
      if (erased === undefined) continue
      expect(erased.content + erased.other).not.toContain('ann')
      expect(erased.content.replaceAll('erased', 'ann')).toBe(stored.content)
      expect(erased.other.replaceAll('erased', 'ann')).toBe(stored.other)
    }
  })
})

describe('a sentence', () => {
  const redeemed = (quota: number) => encodeLogEvent({ event: 'code_redeemed', params: { quota, code: 3 } })

  it('has amounts as the site displays them, exactly', () => {
    expect(logSentence(redeemed(750_000), english)).toBe('Redeemed ＄1.500000 of quota, code id 3')
    expect(logSentence(redeemed(750_000), chinese)).toBe('兑换了 ＄1.500000 额度，兑换码 ID 3')
    expect(logSentence(redeemed(750_000), { ...english, ...inPoints })).toBe(
      'Redeemed 750000 points of quota, code id 3',
    )
    expect(logSentence(redeemed(Number.MAX_SAFE_INTEGER), english)).toBe(
      'Redeemed ＄18014398509.481982 of quota, code id 3',
    )
    expect(logSentence(redeemed(1), { ...english, QuotaPerUnit: 1e9 })).toContain('＄0.000000001 of quota')
    expect(logSentence(redeemed(1), { ...english, QuotaPerUnit: 0.5 })).toContain('＄2.000000 of quota')
  })

  it('stays as it is beside what is no event, or one that a newer version wrote', () => {
    for (const other of [
      '',
      '{}',
      '{"event":',
      '{"event":"nothing","params":{}}',
      '{"event":"code_redeemed"}',
      '{"event":"code_redeemed","params":{"quota":"much","code":1}}',
      '{"event":"code_redeemed","params":{"quota":0.5,"code":1}}',
      '{"event":"constructor","params":{}}',
    ])
      expect(logSentence({ content: 'Redeemed 5', other }, chinese)).toBe('Redeemed 5')
  })
})
