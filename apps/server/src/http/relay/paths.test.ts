import { describe, expect, it } from 'bun:test'
import { dialectOf, isRelayPath, playgroundCall, relayPath } from './paths.ts'

describe('relayPath', () => {
  it('knows the endpoints that are served, with and without a trailing slash', () => {
    expect(relayPath('POST', '/v1/chat/completions')).toEqual({
      kind: 'call',
      dialect: 'openai',
      mode: 'chat',
    })
    expect(relayPath('POST', '/v1/embeddings/')).toEqual({
      kind: 'call',
      dialect: 'openai',
      mode: 'embeddings',
    })
    expect(relayPath('POST', '/v1/responses')).toEqual({ kind: 'call', dialect: 'responses', mode: 'chat' })
    expect(relayPath('GET', '/v1/models')).toEqual({ kind: 'model-list' })
    expect(relayPath('GET', '/v1/models/org%2Fname')).toEqual({ kind: 'model', model: 'org/name' })
    expect(relayPath('POST', '/v1/engines/ada/embeddings')).toEqual({
      kind: 'call',
      dialect: 'openai',
      mode: 'embeddings',
      model: 'ada',
    })
  })

  it('takes slashes in a row, and the version twice, for one, but for slashes of a name', () => {
    const lines = [
      'POST /v1/chat/completions',
      'POST /v1/messages',
      'POST /v1/messages/count_tokens',
      'POST /v1/responses',
      'GET /v1/responses/resp_1',
      'POST /v1/embeddings',
      'POST /v1/images/generations',
      'POST /v1/audio/speech',
      'POST /v1/videos',
      'GET /v1/videos/video_1',
      'GET /v1/models',
      'GET /v1/dashboard/billing/usage',
      'GET /v1/audio/speech',
    ]
    for (const line of lines) {
      const [method = '', path = ''] = line.split(' ')
      const known = relayPath(method, path)
      expect(known.kind).not.toBe('unknown')
      // Behind the first slash: by what is before it, the gateway recognises paths of the relay.
      for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1))
        for (const slashes of ['/', '//'])
          expect(relayPath(method, path.slice(0, at) + slashes + path.slice(at)), path).toEqual(known)
      expect(relayPath(method, `/v1${path}`), path).toEqual(known)
      expect(relayPath(method, `/v1/${path}`), path).toEqual(known)
    }
    const gemini = 'models/gemini-3:generateContent'
    expect(relayPath('POST', `/v1beta//${gemini}`)).toEqual(relayPath('POST', `/v1beta/${gemini}`))
    expect(relayPath('POST', `/v1/v1beta/${gemini}`)).toEqual(relayPath('POST', `/v1beta/${gemini}`))
    expect(relayPath('POST', '/v1/v1/v1/messages').kind).toBe('unknown')
    expect(relayPath('GET', '/v1/models/http://a/b')).toEqual({ kind: 'model', model: 'http://a/b' })
    expect(relayPath('POST', '/v1//nothing//here').kind).toBe('unknown')
  })

  it('knows the modes beside chat', () => {
    const modes = [
      ['/v1/moderations', 'moderations'],
      ['/v1/rerank', 'rerank'],
      ['/rerank/', 'rerank'],
      ['/v1/images/generations', 'images'],
      ['/v1/images/edits', 'image-edits'],
      ['/v1/images/variations', 'image-variations'],
      ['/v1/audio/speech', 'speech'],
      ['/v1/audio/transcriptions', 'transcriptions'],
      ['/v1/audio/translations', 'translations'],
    ] as const
    for (const [path, mode] of modes) {
      expect(relayPath('POST', path)).toEqual({ kind: 'call', dialect: 'openai', mode })
      expect(isRelayPath(path)).toBe(true)
    }
    expect(relayPath('POST', '/v2/rerank')).toMatchObject({ mode: 'rerank', isSecondVersion: true })
    expect(isRelayPath('/v2/rerank')).toBe(true)
    expect(relayPath('POST', '/v1/edits')).toMatchObject({ mode: 'chat', isEdit: true })
    expect(relayPath('GET', '/v1/audio/speech').kind).toBe('method-not-allowed')
  })

  it('knows videos under both names', () => {
    const create = { kind: 'video', route: { name: 'create' } } as const
    for (const path of ['/v1/videos', '/v1/video/generations']) {
      expect(relayPath('POST', path)).toEqual(create)
      expect(relayPath('GET', `${path}/video_1`)).toEqual({
        kind: 'video',
        route: { name: 'show', id: 'video_1' },
      })
    }
    expect(relayPath('GET', '/v1/videos/video_1/content')).toEqual({
      kind: 'video',
      route: { name: 'content', id: 'video_1' },
    })
    expect(relayPath('GET', '/v1/videos').kind).toBe('not-implemented')
    expect(relayPath('POST', '/v1/videos/video_1/remix').kind).toBe('not-implemented')
    expect(relayPath('DELETE', '/v1/videos/video_1').kind).toBe('not-implemented')
  })

  it('knows the billing calls of older clients, under both roots', () => {
    for (const root of ['/dashboard/billing', '/v1/dashboard/billing']) {
      expect(relayPath('GET', `${root}/subscription`)).toEqual({ kind: 'billing', about: 'subscription' })
      expect(relayPath('GET', `${root}/usage/`)).toEqual({ kind: 'billing', about: 'usage' })
      expect(isRelayPath(`${root}/usage`)).toBe(true)
    }
    expect(relayPath('POST', '/dashboard/billing/usage').kind).toBe('method-not-allowed')
    expect(isRelayPath('/dashboard')).toBe(false)
  })

  it('distinguishes an endpoint that is not served from one that does not exist', () => {
    for (const line of [
      'POST /v1/files',
      'POST /v1/batches',
      'POST /v1/batches/batch_1/cancel',
      'GET /v1/messages/batches/msgbatch_1/results',
      'POST /v1/realtime/client_secrets',
      'GET /v1/fine_tuning/jobs',
    ]) {
      const [method = '', path = ''] = line.split(' ')
      expect([line, relayPath(method, path).kind]).toEqual([line, 'not-implemented'])
    }
    expect(relayPath('POST', '/v1/nothing').kind).toBe('unknown')
    expect(relayPath('POST', '/v1/batchesque').kind).toBe('unknown')
  })

  it('distinguishes a wrong method from a path that does not exist', () => {
    expect(relayPath('GET', '/v1/chat/completions')).toEqual({
      kind: 'method-not-allowed',
      allow: 'OPTIONS, POST',
    })
    expect(relayPath('HEAD', '/v1/models').kind).toBe('model-list')
    expect(relayPath('PUT', '/v1/nothing').kind).toBe('unknown')
  })

  it('reads model and method out of the paths of Gemini', () => {
    const call = {
      kind: 'call',
      dialect: 'gemini',
      mode: 'chat',
      model: 'gemini-3.8-flash',
    } as const
    const path = '/v1beta/models/gemini-3.8-flash'
    expect(relayPath('POST', `${path}:generateContent`)).toEqual({ ...call, stream: false })
    expect(relayPath('POST', `${path}%3AstreamGenerateContent`)).toEqual({ ...call, stream: true })
    const embedding = { kind: 'call', dialect: 'gemini', mode: 'embeddings', model: 'gemini-3.8-flash' }
    expect(relayPath('POST', `${path}:embedContent`)).toEqual({ ...embedding, isBatch: false } as never)
    expect(relayPath('POST', `${path}:batchEmbedContents`)).toEqual({ ...embedding, isBatch: true } as never)
    expect(relayPath('POST', `${path}:nothing`).kind).toBe('unknown')
    expect([
      dialectOf(`${path}:generateContent`),
      dialectOf('/v1/messages'),
      dialectOf('/v1/responses'),
      dialectOf('/v1/models'),
    ]).toEqual(['gemini', 'anthropic', 'responses', 'openai'])
  })

  it('knows the operations on a stored response', () => {
    const stored = { kind: 'stored-response', id: 'resp_1' }
    expect(relayPath('GET', '/v1/responses/resp_1')).toEqual({ ...stored, action: 'show' } as never)
    expect(relayPath('DELETE', '/v1/responses/resp_1')).toEqual({ ...stored, action: 'delete' } as never)
    expect(relayPath('GET', '/v1/responses/resp_1/input_items')).toMatchObject({ action: 'list-input' })
    expect(relayPath('POST', '/v1/responses/resp_1/cancel')).toMatchObject({ action: 'cancel' })
    expect(relayPath('PUT', '/v1/responses/resp_1')).toEqual({
      kind: 'method-not-allowed',
      allow: 'OPTIONS, GET, DELETE',
    })
  })

  it('knows the compaction of a conversation from a response of that name', () => {
    expect(relayPath('POST', '/v1/responses/compact')).toEqual({
      kind: 'call',
      dialect: 'responses',
      mode: 'chat',
      isCompaction: true,
    })
    expect(relayPath('GET', '/v1/responses/compact')).toMatchObject({ action: 'show', id: 'compact' })
  })

  it('knows the calls that count a prompt', () => {
    const counting = { kind: 'call', mode: 'count-tokens' }
    expect(relayPath('POST', '/v1/messages/count_tokens')).toEqual({
      ...counting,
      dialect: 'anthropic',
    } as never)
    expect(relayPath('POST', '/v1beta/models/m:countTokens')).toMatchObject({ ...counting, model: 'm' })
    expect(dialectOf('/v1/models/m:countTokens')).toBe('gemini')
    expect(relayPath('GET', '/v1/messages/count_tokens').kind).toBe('method-not-allowed')
  })

  it('finds names of models that hold a colon or a slash in the paths of Gemini', () => {
    const model = (path: string) => {
      const found = relayPath('POST', path)
      return found.kind === 'call' ? found.model : undefined
    }
    expect(model('/v1beta/models/qwen3:8b:generateContent')).toBe('qwen3:8b')
    expect(model('/v1beta/models/anthropic.claude-v1%3A0%3AstreamGenerateContent')).toBe(
      'anthropic.claude-v1:0',
    )
    expect(model('/v1beta/models/org/name:generateContent')).toBe('org/name')
  })

  it('takes every version of the paths of Gemini for its own, however they are escaped', () => {
    expect(isRelayPath('/v1alpha/models/m:generateContent')).toBe(true)
    expect(dialectOf('/v1alpha/models/m:nothing')).toBe('gemini')
    expect(dialectOf('/v1/models/m%3AgenerateContent')).toBe('gemini')
  })

  it('knows lists of models under every root', () => {
    for (const root of ['/v1', '/v1alpha', '/v1beta', '/v1beta/openai']) {
      expect(relayPath('GET', `${root}/models`)).toEqual({ kind: 'model-list' })
      expect(relayPath('GET', `${root}/models/org/name`)).toEqual({ kind: 'model', model: 'org/name' })
    }
    expect(dialectOf('/v1beta/openai/models')).toBe('openai')
    expect(dialectOf('/v1beta/models/m')).toBe('gemini')
  })

  it('serves what clients of other servers call, and answers the rest in the words of the relay', () => {
    const own = (method: string, path: string) => [relayPath(method, path), dialectOf(path)] as const
    const same = [
      ['POST', '/openai/v1/chat/completions', '/v1/chat/completions'],
      ['POST', '/openai/responses', '/v1/responses'],
      ['GET', '/openai/responses/resp_1', '/v1/responses/resp_1'],
      ['GET', '/openai/v1/models', '/v1/models'],
      ['GET', '/openai/realtime', '/v1/realtime'],
      ['POST', '/openai/v1/videos', '/v1/videos'],
      ['POST', '/openai/v1/files', '/v1/files'],
      ['POST', '/anthropic/v1/messages', '/v1/messages'],
      ['POST', '/anthropic/v1/messages/count_tokens', '/v1/messages/count_tokens'],
      ['POST', '/v1beta/openai/embeddings', '/v1/embeddings'],
      ['POST', '/chat/completions', '/v1/chat/completions'],
      ['POST', '/messages/', '/v1/messages'],
      ['GET', '/responses/resp_1', '/v1/responses/resp_1'],
      ['GET', '/audio/speech', '/v1/audio/speech'],
      ['POST', '/openai/nothing', '/v1/nothing'],
      ['POST', '/v1//messages', '/v1/messages'],
      ['POST', '/v1/v1/responses', '/v1/responses'],
      ['POST', '/anthropic//v1/messages', '/v1/messages'],
      ['POST', '/anthropic/v1/v1/messages', '/v1/messages'],
      ['POST', '/v1/anthropic/v1/messages', '/v1/messages'],
      ['POST', '/openai/v1/v1/responses', '/v1/responses'],
    ] as const
    for (const [method, other, path] of same) {
      expect(own(method, other), other).toEqual(own(method, path))
      expect(isRelayPath(other), other).toBe(true)
    }
    for (const root of [
      '/v1beta1',
      '/v1',
      '/v1/projects/p/locations/global',
      '/v1beta1/projects/p/locations/global',
      '/v1/v1beta1',
    ]) {
      const path = `${root}/publishers/google/models/gemini-3:streamGenerateContent`
      expect(own('POST', path)).toEqual(own('POST', '/v1beta/models/gemini-3:streamGenerateContent'))
      expect(isRelayPath(path)).toBe(true)
    }
    const deployments = '/openai/deployments/my%2Fmodel'
    for (const root of ['', '/v1'])
      expect(relayPath('POST', `${root}${deployments}/audio/speech`)).toEqual({
        kind: 'call',
        dialect: 'openai',
        mode: 'speech',
        deployment: 'my/model',
      })
    expect(relayPath('GET', `${deployments}/chat/completions`).kind).toBe('method-not-allowed')
    for (const rest of ['nothing', 'models', 'messages'])
      expect(relayPath('POST', `${deployments}/${rest}`).kind, rest).toBe(
        rest === 'models' ? 'method-not-allowed' : 'unknown',
      )
    for (const page of ['/', '/chat', '/models', '/channel', '/openai', '/anthropic', '/assets/responses.js'])
      expect(isRelayPath(page), page).toBe(false)
  })

  it('survives a path that cannot be decoded', () => {
    expect(relayPath('GET', '/v1/models/%E0%A4%A')).toEqual({ kind: 'model', model: '%E0%A4%A' })
  })
})

describe('the playground', () => {
  it('calls chat and submits work that ends later, and nothing else', () => {
    expect(playgroundCall('POST', '/pg/chat/completions')).toEqual({ kind: 'chat' })
    expect(playgroundCall('POST', '/pg/mj/submit/action')).toEqual({
      kind: 'drawing',
      route: { name: 'submit', action: 'submit/action', upstreamPath: '/mj/submit/action' },
    })
    expect(playgroundCall('POST', '/pg/suno/submit/music')).toEqual({
      kind: 'music',
      route: { name: 'submit', action: 'music' },
    })
    expect(playgroundCall('POST', '/pg/v1/videos')).toEqual({ kind: 'video', route: { name: 'create' } })
    expect(playgroundCall('GET', '/pg/v1/videos/video_1/content')).toEqual({
      kind: 'video',
      route: { name: 'content', id: 'video_1' },
    })
    for (const line of [
      'GET /pg/chat/completions',
      'GET /pg/v1/videos/video_1',
      'GET /pg/mj/task/1/fetch',
      'POST /pg/mj/notify/secret',
      'GET /pg/mj/image/1',
      'POST /pg/v1/embeddings',
      'GET /pg/v1/models',
      'POST /pg/pg/v1/videos',
      'POST /pg/',
    ]) {
      const [method = '', path = ''] = line.split(' ')
      expect([line, playgroundCall(method, path)]).toEqual([line, undefined])
      expect(isRelayPath(path)).toBe(true)
    }
  })
})
