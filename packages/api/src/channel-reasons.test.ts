import { describe, expect, it } from 'bun:test'
import { channelReasonText, channelReasonTexts, isChannelReasonCode } from './channel-reasons.ts'

describe('the reason of a channel', () => {
  it('is a sentence with all its parameters, in either language', () => {
    const params = { status: 401, detail: 'no such key', last_of_keys: 3 }
    const refused = { code: 'key_refused', params } as const
    expect(channelReasonText(refused, 'en')).toBe(
      'no key is left; the last: the key was refused (status 401): no such key',
    )
    expect(channelReasonText(refused, 'zh')).toBe(
      '已无可用密钥，最后一个：密钥被拒绝（状态码 401）：no such key',
    )
    const failed = { failures: 5, attempts: 9, cause: 'overloaded', status: 503, model: 'm' }
    expect(channelReasonText({ code: 'many_failed', params: failed }, 'en')).toBe(
      'm: 5 of 9 calls failed in a minute: overloaded (status 503)',
    )
    const probed = { code: 'probe_passed', params: { model: 'm' } } as const
    expect(channelReasonText(probed, 'en')).toBe('a probe passed (model m)')
  })

  it('has a sentence in both languages for each code, with the same slots', () => {
    const slots = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()
    for (const { en, zh } of Object.values(channelReasonTexts)) expect(slots(zh)).toEqual(slots(en))
  })

  it("is known by its code, and never by a property of JavaScript's objects", () => {
    expect(['quota', 'toString', ''].map(isChannelReasonCode)).toEqual([true, false, false])
  })
})
