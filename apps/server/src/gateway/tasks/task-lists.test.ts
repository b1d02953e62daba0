import { describe, expect, it } from 'bun:test'
import { drawing, task } from '@tollgate/api'
import type { User } from '../../store/accounts/users.ts'
import { newTask } from '../../store/work/contract/tasks.ts'
import type { TaskFilter } from '../../store/work/tasks.ts'
import { createTaskLists, midjourneyFilter, otherTaskFilter } from './task-lists.ts'

const first = { p: 0, page_size: 10 }

function listsOver(rows: Parameters<typeof newTask>[0][], forwards = false) {
  const requested: [TaskFilter, object][] = []
  const page = async (filter: TaskFilter, paging: object) => {
    requested.push([filter, paging])
    return { rows: rows.map((row, index) => ({ ...newTask(row), id: index + 1 })), total: 42 }
  }
  const lists = createTaskLists({
    tasks: { page },
    users: {
      listByIds: async (ids) => new Map(ids.map((id) => [id, { username: `user-${id}` } as User])),
      findByLogin: async (login) =>
        login === 'user-7' || login === 'seven@example.com'
          ? ({ id: 7, username: 'user-7' } as User)
          : undefined,
    },
    pictures: () => ({ site: 'https://gw.example', forwards }),
    isPublic: ({ upstreamId }) => upstreamId !== 'sealed',
  })
  return { requested, ...lists }
}

describe('filters of task lists', () => {
  it('take times in seconds and in milliseconds, both inclusive', () => {
    const wanted = { platform: 'mj', fromMs: 1_700_000_000_000, toMs: 1_700_000_060_999 } as const
    const seconds = { start_timestamp: 1_700_000_000, end_timestamp: 1_700_000_060 }
    const milliseconds = { start_timestamp: 1_700_000_000_000, end_timestamp: 1_700_000_060_999 }
    expect(midjourneyFilter(seconds)).toEqual(wanted)
    expect(midjourneyFilter(milliseconds)).toEqual(wanted)
    expect(midjourneyFilter({ start_timestamp: 0, mj_id: '', channel_id: 0 })).toEqual({ platform: 'mj' })
  })

  it('separate Midjourney images from other tasks, and match nothing for unknown words', () => {
    expect(otherTaskFilter({})).toEqual({ platform: ['suno', 'video'] })
    expect(
      otherTaskFilter({ platform: 'suno', channel_id: 3, status: 'SUCCESS', action: 'MUSIC', task_id: 'x' }),
    ).toEqual({
      platform: 'suno',
      channelId: 3,
      status: 'SUCCESS',
      action: 'MUSIC',
      upstreamId: 'x',
    })
    expect(otherTaskFilter({ platform: 'mj' })).toBeUndefined()
    expect(otherTaskFilter({ status: 'NOPE' })).toBeUndefined()
  })
})

describe('task lists', () => {
  it('are those of a user whom an administrator names, and an owner names nobody', async () => {
    const { drawings, others, requested } = listsOver([{}])
    await drawings({ ...first, username: 'user-7' })
    await others({ ...first, username: 'user-7', channel_id: 2 })
    await drawings({ ...first, username: 'user-7' }, 3)
    expect(requested.map(([{ userId }]) => userId)).toEqual([7, 7, 3])
    for (const username of ['nobody', 'seven@example.com'])
      expect(await drawings({ ...first, username })).toEqual({ rows: [], total: 0 })
  })

  it('show Midjourney images with times in milliseconds and their own fields', async () => {
    const properties = '{"code":22,"image_url":"https://x/1.png","prompt_en":"cat","buttons":[{"a":1}]}'
    const { drawings, requested } = listsOver([
      { properties, progress: 50, startedMs: 5 },
      { properties: 'null' },
    ])
    const { rows, total } = await drawings({ ...first, p: 2 })
    expect(rows.map((row) => drawing.strict().parse(row))).toEqual(rows)
    expect(total).toBe(42)
    expect(requested[0]?.[1]).toEqual({ offset: 20, limit: 10 })
    expect(rows[0]).toMatchObject({
      code: 22,
      image_url: 'https://x/1.png',
      prompt_en: 'cat',
      buttons: '[{"a":1}]',
      progress: '50%',
      submit_time: 1_750_000_000_123,
      created_at: 1_750_000_000,
      channel_id: 3,
      username: 'user-1',
    })
    expect(rows[1]).toMatchObject({ code: 1, image_url: '', buttons: '' })
  })

  it('show finished images at the address of the gateway where the operator wants it', async () => {
    const properties = '{"image_url":"https://cdn.example/1.png?signature=s"}'
    const { drawings } = listsOver([{ properties, upstreamId: 'a/1' }, { upstreamId: 'b' }], true)
    const { rows } = await drawings(first)
    expect(rows.map((row) => row.image_url)).toEqual(['https://gw.example/mj/image/a%2F1', ''])
  })

  it('show other tasks with times in seconds and the response of the upstream', async () => {
    const { others } = listsOver([{ platform: 'suno', finishedMs: 9999 }, { result: '{"broken' }])
    const { rows } = await others(first)
    expect(rows.map((row) => task.strict().parse(row))).toEqual(rows)
    expect(rows[0]).toMatchObject({ submit_time: 1_750_000_000, finish_time: 9, data: { a: [1, 'ü'] } })
    expect(rows[1]?.data).toBeNull()
  })

  it('show the address of a finished video where it works without credentials', async () => {
    const properties = '{"url":"https://cdn.example/v.mp4","seconds":8,"size":"1280x720"}'
    const video = { platform: 'video', status: 'SUCCESS', properties } as const
    const { others } = listsOver([video, { ...video, upstreamId: 'sealed' }, { ...video, status: 'FAILURE' }])
    const { rows } = await others(first)
    expect(rows.map((row) => row.properties.url)).toEqual(['https://cdn.example/v.mp4', '', ''])
    expect(rows[0]?.properties).toMatchObject({ seconds: 8, size: '1280x720', input: 'a cat, "quoted"' })
  })

  it('show users only their own tasks, without the channel, whatever the query', async () => {
    const { drawings, others, requested } = listsOver([{}])
    const query = { ...first, channel_id: 3 }
    const unnamed = { channel_id: 0, username: '' }
    expect((await drawings(query, 7)).rows[0]).toMatchObject(unnamed)
    expect((await others(query, 7)).rows[0]).toMatchObject(unnamed)
    expect(requested.map(([filter]) => filter)).toEqual([
      { platform: 'mj', userId: 7 },
      { platform: ['suno', 'video'], userId: 7 },
    ])
  })
})
