import { describe, expect, it } from 'bun:test'
import { decodeLogEvent, encodeLogEvent } from '@tollgate/api/log-events'
import { impersonalOther, withoutMention } from './erase-log.ts'

const person = { id: 7, names: ['ann', 'anna'], erasedName: 'deleted-7' }

describe('a sentence about somebody else', () => {
  it.each([
    ['ann (id 7) changed the quota by 5 to 10', 'deleted-7 (id 7) changed the quota by 5 to 10'],
    ['Gift for inviting anna', 'Gift for inviting deleted-7'],
    // Another person of that name, and a name that begins so.
    ['ann (id 8) changed the quota by 5 to 10', 'ann (id 8) changed the quota by 5 to 10'],
    ['Gift for inviting annabel', 'Gift for inviting annabel'],
  ])('%s: names no erased person', (before, after) => {
    const erased = withoutMention({ content: before, other: '' }, person)
    expect(erased?.content ?? before).toBe(after)
  })
})

describe('an event about somebody else', () => {
  const giftFor = (id: number) =>
    encodeLogEvent({ event: 'gift_inviter', params: { quota: 5, invitee: { id, name: 'anna' } } })

  it('names no erased person, whatever name it has, in its sentence and in its parameters', () => {
    const erased = withoutMention(giftFor(7), { ...person, names: [] })
    expect(erased?.content).toBe('Gift for inviting deleted-7: 5 points of quota')
    expect(decodeLogEvent(erased?.other ?? '')?.params).toEqual({
      quota: 5,
      invitee: { id: 7, name: 'deleted-7' },
    })
  })

  it('keeps the name of another person who is called the same', () => {
    expect(withoutMention(giftFor(8), person)).toBeUndefined()
  })
})

describe('what explains a charge', () => {
  it('keeps figures, and nothing that a caller or an upstream wrote', () => {
    const other = JSON.stringify({
      model_ratio: 2,
      image_size: '1024x1024',
      unknown: 'marker',
      error: { code: 'bad', status: 400, reason: 'bad', params: { detail: 'marker' } },
      admin_info: {
        use_channel: ['3'],
        attempts: [{ channel: 3, key: 0, ms: 1, status: 400, kind: 'bad', said: 'marker' }],
        affinity: { by: 'marker', channel: 3 },
      },
    })
    const after = impersonalOther(other)
    expect(after).not.toContain('marker')
    expect(JSON.parse(after)).toMatchObject({
      model_ratio: 2,
      image_size: '1024x1024',
      error: { code: 'bad' },
    })
  })

  it('is empty where it is no JSON of ours', () => {
    expect(impersonalOther('marker')).toBe('')
    expect(impersonalOther('')).toBe('')
  })
})
