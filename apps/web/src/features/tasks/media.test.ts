import { describe, expect, it } from 'bun:test'
import type { Drawing, TaskEntry } from '@tollgate/api'
import { mediaOf, thumbnailOf } from './media.ts'

const drawing = { mj_id: '1', image_url: '' } as Drawing
const song = { task_id: 's', platform: 'suno', status: 'SUCCESS', properties: {}, data: null } as TaskEntry
const video = {
  ...song,
  platform: 'video',
  task_id: 'video_1',
  properties: { input: '', model: '', url: '', seconds: 0, size: '' },
} as TaskEntry

describe('media of a job', () => {
  it('are the image of a drawing, never an address that a browser would run', () => {
    expect(mediaOf(drawing)).toEqual([])
    expect(mediaOf({ ...drawing, image_url: 'javascript:alert(1)' })).toEqual([])
    expect(mediaOf({ ...drawing, image_url: '/mj/image/1' })).toEqual([{ kind: 'image', url: '/mj/image/1' }])
  })

  it('are the clips of a song with their covers, and the words of lyrics', () => {
    const clip = { title: 'Sea', audio_url: 'https://c/a.mp3', video_url: '', image_url: 'https://c/a.png' }
    const data = [clip, { ...clip, image_large_url: 'https://c/l.png' }, 'odd', null]
    expect(mediaOf({ ...song, data })).toEqual([
      { kind: 'audio', url: 'https://c/a.mp3', title: 'Sea', cover: 'https://c/a.png' },
      { kind: 'audio', url: 'https://c/a.mp3', title: 'Sea', cover: 'https://c/l.png' },
    ])
    expect(thumbnailOf({ ...song, data })).toBe('https://c/a.png')
    expect(mediaOf({ ...song, data: { title: 'Sea', text: '[Verse]' } })).toEqual([
      { kind: 'text', title: 'Sea', text: '[Verse]' },
    ])
  })

  it('are the video at its public address, else the one that the gateway fetches', () => {
    expect(mediaOf({ ...video, properties: { ...video.properties, url: 'https://c/v.mp4' } })).toEqual([
      { kind: 'video', url: 'https://c/v.mp4', poster: '' },
    ])
    expect(mediaOf(video)).toEqual([{ kind: 'stored-video', id: 'video_1' }])
    expect(mediaOf({ ...video, status: 'FAILURE' })).toEqual([])
  })
})
