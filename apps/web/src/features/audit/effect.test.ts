import { describe, expect, it } from 'bun:test'
import { effectAt, mayHaveEffect, trendOf } from './effect.ts'

const noon = 1_700_000_000
const histogram = (failing: (index: number) => number) => ({
  step_seconds: 600,
  steps: Array.from({ length: 24 }, (_, index) => ({
    at: noon + index * 600,
    calls: 10 - failing(index),
    errors: failing(index),
  })),
})

describe('the effect of a change', () => {
  it('is the share of failed calls in the hour before and after', () => {
    const effect = effectAt(
      histogram((index) => (index < 12 ? 1 : 4)),
      noon + 12 * 600,
    )
    expect(effect).toEqual({ before: 0.1, after: 0.4, seconds: 3600 })
    expect(effect && trendOf(effect)).toBe('rose')
  })

  it('covers two steps of a chart whose steps are longer', () => {
    const days = { ...histogram(() => 0), step_seconds: 7200 }
    const wide = { ...days, steps: days.steps.map((step, index) => ({ ...step, at: noon + index * 7200 })) }
    expect(effectAt(wide, noon + 10 * 7200)).toEqual({ before: 0, after: 0, seconds: 14_400 })
  })

  it('is unknown where too few calls were made', () => {
    expect(
      effectAt(
        histogram(() => 0),
        noon,
      ),
    ).toBeUndefined()
    expect(effectAt({ step_seconds: 600, steps: [] }, noon)).toBeUndefined()
  })

  it('is none within chance', () => {
    expect(trendOf({ before: 0.1, after: 0.12, seconds: 1 })).toBe('same')
    expect(trendOf({ before: 0.5, after: 0.1, seconds: 1 })).toBe('fell')
  })

  it('is drawn only for what calls can depend on', () => {
    const may = (action: string, target_kind: string, target_name = '') =>
      mayHaveEffect({ action, target_kind, target_name } as Parameters<typeof mayHaveEffect>[0])
    for (const [action, kind, name] of [
      ['channel.update', 'channel'],
      ['channel.auto-disable', 'channel'],
      ['tag.disable', 'tag'],
      ['model.rename', 'model'],
      ['option.update', 'option', 'ModelRatio'],
      ['option.update', 'option', 'RetryTimes'],
      ['gateway.upgrade', 'gateway'],
    ] as const)
      expect([action, name, may(action, kind, name)]).toEqual([action, name, true])
    for (const [action, kind, name] of [
      ['channel.test', 'channel'],
      ['channel.reveal-keys', 'channel'],
      ['user.update', 'user'],
      ['redemption.create', 'redemption'],
      ['option.update', 'option', 'Notice'],
      ['option.update', 'option', 'SMTPServer'],
      ['log.export', 'log'],
      ['of.another-version', 'unknown'],
    ] as const)
      expect([action, name, may(action, kind, name)]).toEqual([action, name, false])
  })
})
