/** Song: so many polls find it in progress, then it ends as its prompt says. */
interface Song {
  readonly id: string
  /** Credential of its submission. */
  readonly authorization: string
  readonly fails: boolean
  requested: number
}

export interface MusicUpstream {
  readonly url: string
  /** Every song that was taken, by id. */
  readonly songs: ReadonlyMap<string, Song>
  /** Ids of each question, in order. */
  readonly questions: readonly (readonly string[])[]
  /** Delay of responses to submissions, in ms. */
  delayMs: number
  /** Questions that find a song in progress; more than any test has time for when it shall never end. */
  rounds: number
  /** Forgets all tasks and responds to nothing: as when the service is gone. */
  isHidden: boolean
  stop(): Promise<void>
}

/** A service that speaks as Suno API does and sings by itself. A song whose prompt has `fail` in it fails. */
export function startMusicUpstream(): MusicUpstream {
  const songs = new Map<string, Song>()
  const questions: string[][] = []
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 120, fetch: reply })
  const upstream = {
    url: `http://127.0.0.1:${server.port}`,
    songs,
    questions,
    delayMs: 0,
    rounds: 1,
    isHidden: false,
    stop: () => server.stop(true),
  }

  async function reply(request: Request): Promise<Response> {
    if (upstream.isHidden) return new Response('gone', { status: 502 })
    const path = new URL(request.url).pathname
    if (path === '/suno/fetch') return Response.json(fetched((await request.json()) as { ids: string[] }))
    const { prompt = '' } = (await request.json()) as { prompt?: string }
    const id = `song-${songs.size}-${Date.now()}`
    const authorization = request.headers.get('authorization') ?? ''
    const song = { id, authorization, fails: prompt.includes('fail'), requested: 0 }
    songs.set(song.id, song)
    await Bun.sleep(upstream.delayMs)
    return Response.json({ code: 'success', message: '', data: song.id })
  }

  function fetched({ ids }: { readonly ids: string[] }) {
    questions.push(ids)
    const known = ids.flatMap((id) => songs.get(id) ?? [])
    return { code: 'success', message: '', data: known.map((song) => reported(song, upstream.rounds)) }
  }
  return upstream
}

function reported(song: Song, rounds: number) {
  song.requested += 1
  const task = { task_id: song.id, action: 'MUSIC', submit_time: seconds(), start_time: seconds() }
  if (song.requested <= rounds)
    return { ...task, status: 'IN_PROGRESS', fail_reason: '', finish_time: 0, data: [] }
  return song.fails
    ? { ...task, status: 'FAILURE', fail_reason: 'no melody', finish_time: seconds(), data: [] }
    : { ...task, status: 'SUCCESS', fail_reason: '', finish_time: seconds(), data: [clip(song)] }
}

function clip({ id }: Song) {
  return { id, title: 'Song', status: 'complete', audio_url: `https://cdn.example/${id}.mp3` }
}

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}
