import { describe, expect, it } from 'bun:test'
import { encodeMidjourneyTask, type MidjourneyTask, midjourneyImageUrl, readTaskIds } from './task-object.ts'

const task: MidjourneyTask = {
  id: '132',
  action: 'IMAGINE',
  prompt: 'cat',
  status: 'SUCCESS',
  progress: 100,
  submittedMs: 1689231405854,
  startedMs: 1689231442755,
  finishedMs: 1689231544312,
  failReason: '',
  own: {
    prompt_en: 'Cat',
    image_url: 'https://cdn.example/132.webp?token=s',
    buttons: [{ customId: 'MJ::JOB::upsample::1::u', label: 'U1' }],
    properties: { finalPrompt: 'Cat --v 6' },
  },
}
const forwarding = { address: 'https://gw.example/', forwards: true }

describe('a drawing', () => {
  it('has every field of the protocol', () => {
    expect(encodeMidjourneyTask(task, 'https://gw.example/mj/image/132')).toEqual({
      id: '132',
      action: 'IMAGINE',
      customId: '',
      botType: '',
      prompt: 'cat',
      promptEn: 'Cat',
      description: '',
      state: '',
      submitTime: 1689231405854,
      startTime: 1689231442755,
      finishTime: 1689231544312,
      imageUrl: 'https://gw.example/mj/image/132',
      status: 'SUCCESS',
      progress: '100%',
      failReason: '',
      buttons: [{ customId: 'MJ::JOB::upsample::1::u', label: 'U1' }],
      maskBase64: '',
      properties: { finalPrompt: 'Cat --v 6' },
    })
    expect(encodeMidjourneyTask({ ...task, own: {} }, '')).toMatchObject({ buttons: null, properties: null })
  })

  it('has its picture at the gateway, another one each time until it is finished', () => {
    expect(midjourneyImageUrl(task, forwarding, 7n)).toBe('https://gw.example/mj/image/132')
    expect(midjourneyImageUrl({ ...task, status: 'IN_PROGRESS' }, forwarding, 7n)).toBe(
      'https://gw.example/mj/image/132?rand=7',
    )
    expect(midjourneyImageUrl(task, { ...forwarding, forwards: false }, 7n)).toBe(
      'https://cdn.example/132.webp?token=s',
    )
    expect(midjourneyImageUrl({ ...task, own: {} }, forwarding, 7n)).toBe('')
  })
})

it('reads the ids that are asked for, each once', () => {
  expect(readTaskIds({ ids: ['1', 2, '1'] })).toEqual(['1', '2'])
  expect(readTaskIds({})).toEqual([])
  for (const body of [null, [], 'x', { ids: 'x' }, { ids: [null] }, { ids: [{}] }])
    expect(readTaskIds(body)).toBeUndefined()
})
