import { afterAll, beforeAll, expect, it } from 'bun:test'
import { operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type MusicUpstream, startMusicUpstream } from '../../support/tasks/music.ts'

let upstream: MusicUpstream
let gateway: Tollgate
let key: string

beforeAll(async () => {
  upstream = startMusicUpstream()
  gateway = await startTollgate({ env: { TASK_POLL_SECONDS: '3600' } })
  const operator = await operate(gateway.url)
  const songs = { name: 'songs', type: 36, base_url: upstream.url, models: 'suno_music' }
  await operator.addChannel({ ...songs, key: 'account-a\naccount-b\naccount-c' })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

async function submit(body: object): Promise<string> {
  const reply = await fetch(`${gateway.url}/suno/submit/music`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
  const { data } = (await reply.json()) as { data: string }
  return data
}

it('goes on from a song with the account that has it', async () => {
  const accountOf = (id: string) => upstream.songs.get(id)?.authorization
  const songs: string[] = []
  for (let index = 0; index < 6; index += 1) songs.push(await submit({ prompt: 'sing' }))
  expect(new Set(songs.map(accountOf)).size).toBe(3)
  for (const id of songs) {
    const next = await submit({ prompt: 'more', continue_at: 30, continue_clip_id: 'c1', task_id: id })
    expect(accountOf(next)).toBe(accountOf(id))
  }
})
