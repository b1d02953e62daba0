import { describe, expect, it } from 'bun:test'
import type { Drawing, TaskEntry } from '@tollgate/api'
import { buttonOrder, buttonsOf, sameOrder } from './orders.ts'

const drawing = { mj_id: '7', action: 'IMAGINE', prompt: 'a fox', status: 'SUCCESS', buttons: '' } as Drawing
const video = {
  task_id: 'v',
  action: 'TEXT_TO_VIDEO',
  properties: { input: 'waves', model: 'sora-2', url: '', seconds: 8, size: '1280x720' },
} as TaskEntry

describe('a job ordered again', () => {
  it('is the same order where the row records all of it', () => {
    expect(sameOrder(drawing)).toEqual({ path: '/mj/submit/imagine', body: { prompt: 'a fox' } })
    expect(sameOrder(video)).toEqual({
      path: '/v1/videos',
      body: { model: 'sora-2', prompt: 'waves', seconds: '8', size: '1280x720' },
    })
  })

  it('is not offered where a picture or an earlier job belonged to it', () => {
    expect(sameOrder({ ...drawing, action: 'UPSCALE' })).toBeUndefined()
    expect(sameOrder({ ...video, action: 'IMAGE_TO_VIDEO' })).toBeUndefined()
    expect(sameOrder({ ...drawing, prompt: '' })).toBeUndefined()
  })
})

describe('buttons of a drawing', () => {
  it('are those that its upstream named', () => {
    const buttons = JSON.stringify([
      { customId: 'MJ::U1', label: 'U1', emoji: '' },
      { customId: 'MJ::R', emoji: '🔄', label: '' },
      { label: 'no id' },
      null,
    ])
    const listed = buttonsOf({ ...drawing, buttons })
    expect(listed).toEqual([
      { customId: 'MJ::U1', label: 'U1' },
      { customId: 'MJ::R', label: '🔄' },
    ])
    expect(buttonOrder(drawing, { customId: 'MJ::U1', label: 'U1' })).toEqual({
      path: '/mj/submit/action',
      body: { taskId: '7', customId: 'MJ::U1' },
    })
    expect(buttonsOf({ ...drawing, buttons: '{broken' })).toEqual([])
  })
})
