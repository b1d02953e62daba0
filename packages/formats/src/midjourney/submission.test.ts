import { describe, expect, it } from 'bun:test'
import { encodeMidjourneyFault, MidjourneyFault, midjourneyActions, midjourneyModel } from './actions.ts'
import {
  isMidjourneyPath,
  type MidjourneyPath,
  midjourneyBody,
  readMidjourneySubmission,
} from './submission.ts'

const read = (path: MidjourneyPath, body: unknown) =>
  readMidjourneySubmission(path, typeof body === 'string' ? body : JSON.stringify(body), 32)

function faultOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof MidjourneyFault) return error.description
    throw error
  }
  return ''
}

const image = 'data:image/png;base64,iVBORw0KGgo='
const taskId = '1320098173412546'
const button = (customId: string) => ({ taskId, customId })

describe('a submission', () => {
  it.each([
    ['submit/imagine', { prompt: 'cat' }, 'IMAGINE', 'mj_imagine'],
    ['submit/change', { taskId, action: 'UPSCALE', index: 2 }, 'UPSCALE', 'mj_upscale'],
    ['submit/change', { taskId, action: 'VARIATION', index: '4' }, 'VARIATION', 'mj_variation'],
    ['submit/change', { taskId, action: 'REROLL' }, 'REROLL', 'mj_reroll'],
    ['submit/simple-change', { content: `${taskId} U2` }, 'UPSCALE', 'mj_upscale'],
    ['submit/simple-change', { content: `${taskId} v4` }, 'VARIATION', 'mj_variation'],
    ['submit/simple-change', { content: `${taskId} R` }, 'REROLL', 'mj_reroll'],
    ['submit/modal', { taskId, prompt: 'a dog' }, 'MODAL', 'mj_modal'],
    ['submit/describe', { base64: image }, 'DESCRIBE', 'mj_describe'],
    ['submit/blend', { base64Array: [image, image] }, 'BLEND', 'mj_blend'],
    ['submit/shorten', { prompt: 'a long story' }, 'SHORTEN', 'mj_shorten'],
    ['submit/upload-discord-images', { base64Array: [image] }, 'UPLOAD', 'mj_upload'],
    ['submit/edits', { prompt: 'red hat', base64Array: [image] }, 'EDITS', 'mj_edits'],
    ['submit/video', { taskId }, 'VIDEO', 'mj_video'],
    ['insight-face/swap', { sourceBase64: image, targetBase64: image }, 'SWAP_FACE', 'swap_face'],
  ] as const)('of %s with %j is %s and costs as %s', (path, body, action, model) => {
    const submission = read(path, body)
    expect(submission).toMatchObject({ action, model, isFree: false })
    expect(submission.originId).toBe('taskId' in body || 'content' in body ? taskId : '')
  })

  it.each([
    ['MJ::JOB::upsample::2::3dbbd469', 'UPSCALE', 2],
    ['MJ::JOB::upsample_v6_2x_subtle::1::3dbbd469::SOLO', 'UPSCALE', 1],
    ['MJ::JOB::variation::3::3dbbd469', 'VARIATION', 3],
    ['MJ::JOB::low_variation::1::3dbbd469::SOLO', 'LOW_VARIATION', 1],
    ['MJ::JOB::high_variation::1::3dbbd469::SOLO', 'HIGH_VARIATION', 1],
    ['MJ::JOB::pan_left::1::3dbbd469::SOLO', 'PAN', 1],
    ['MJ::JOB::reroll::0::3dbbd469::SOLO', 'REROLL', 1],
    ['MJ::Outpaint::50::1::3dbbd469::SOLO', 'ZOOM', 1],
    ['MJ::CustomZoom::3dbbd469', 'CUSTOM_ZOOM', 1],
    ['MJ::Inpaint::1::3dbbd469::SOLO', 'INPAINT', 1],
  ] as const)('of the button %s is %s of %d', (customId, action, index) => {
    const submission = read('submit/action', button(customId))
    expect(submission).toMatchObject({ action, index, originId: taskId, retained: { customId } })
    expect(submission.isFree).toBe(action === 'INPAINT' || action === 'CUSTOM_ZOOM')
  })

  it.each([
    ['submit/imagine', '', 'bind_request_body_failed'],
    ['submit/imagine', '[]', 'bind_request_body_failed'],
    ['submit/imagine', '{"prompt":"a",}', 'bind_request_body_failed'],
    ['submit/imagine', '{"prompt":"a","x":tru}', 'bind_request_body_failed'],
    ['submit/imagine', '{"prompt":"a","Prompt":"b"}', 'bind_request_body_failed'],
    ['submit/imagine', '{"prompt":"a","prompt":"b"}', 'bind_request_body_failed'],
    ['submit/imagine', { prompt: 5 }, 'bind_request_body_failed'],
    ['submit/imagine', { prompt: 'a', base64Array: 'x' }, 'bind_request_body_failed'],
    ['submit/imagine', { prompt: 'a', base64Array: [5] }, 'bind_request_body_failed'],
    ['submit/imagine', {}, 'prompt_is_required'],
    ['submit/imagine', { prompt: null }, 'prompt_is_required'],
    ['submit/imagine', { prompt: '  ' }, 'prompt_is_required'],
    ['submit/shorten', {}, 'prompt_is_required'],
    ['submit/change', { action: 'UPSCALE', index: 1 }, 'task_id_is_required'],
    ['submit/change', { taskId, index: 1 }, 'action_is_required'],
    ['submit/change', { taskId, action: 'UPSCALE' }, 'index_is_required'],
    ['submit/change', { taskId, action: 'UPSCALE', index: 0 }, 'index_is_required'],
    ['submit/change', { taskId, action: 'UPSCALE', index: 5 }, 'index_parse_failed'],
    ['submit/change', { taskId, action: 'UPSCALE', index: 1.5 }, 'bind_request_body_failed'],
    ['submit/change', { taskId, action: 'EXPLODE', index: 1 }, 'unknown_action'],
    ['submit/simple-change', {}, 'content_is_required'],
    ['submit/simple-change', { content: taskId }, 'content_parse_failed'],
    ['submit/simple-change', { content: `${taskId}  U1` }, 'content_parse_failed'],
    ['submit/simple-change', { content: `${taskId} U5` }, 'content_parse_failed'],
    ['submit/simple-change', { content: ' U1' }, 'content_parse_failed'],
    ['submit/simple-change', { content: `${taskId} R1` }, 'content_parse_failed'],
    ['submit/action', { taskId }, 'custom_id_is_required'],
    ['submit/action', { customId: 'MJ::JOB::reroll::0::u' }, 'task_id_is_required'],
    ['submit/action', button('MJ::JOB::explode::1::u'), 'unknown_action:MJ::JOB::explode::1::u'],
    ['submit/action', button('MJ'), 'index_parse_failed'],
    ['submit/action', button('MJ::JOB'), 'index_parse_failed'],
    ['submit/action', button('MJ::JOB::upsample'), 'index_parse_failed'],
    ['submit/action', button('MJ::JOB::variation::x::u'), 'index_parse_failed'],
    ['submit/modal', {}, 'task_id_is_required'],
    ['submit/describe', {}, 'base64_is_required'],
    ['submit/blend', { base64Array: [image] }, 'base64_array_must_hold_2_to_5_images'],
    ['submit/upload-discord-images', { base64Array: [] }, 'base64_array_is_required'],
    ['insight-face/swap', { sourceBase64: image }, 'sour_base64_and_target_base64_is_required'],
  ] as const)('of %s with %j is refused as %s', (path, body, description) => {
    expect(faultOf(() => read(path, body))).toBe(description)
  })

  it('that nests too deep is refused before it is parsed', () => {
    expect(faultOf(() => read('submit/imagine', `{"prompt":"a","x":${'['.repeat(1e6)}`))).toBe(
      'bind_request_body_failed',
    )
  })

  it('may hold megabytes of pictures, which are looked at where they stand', () => {
    const large = `data:image/png;base64,${'A'.repeat(8_000_000)}`
    const body = JSON.stringify({ prompt: 'cat', base64Array: [large, 'x'], state: 's' })
    expect(read('submit/imagine', body).fields.pictures).toBe(2)
    const broken = [
      body.replace('",', '"\u0007,'),
      body.replace(`"${large}"`, `"${large}" 5`),
      body.replace(`"${large}",`, `"${large}\\x",`),
      body.replace(`"${large}","x"`, `"${large}",`),
      body.replace(`"${large}","x"`, `"${large}",7`),
    ]
    for (const each of broken)
      expect(faultOf(() => read('submit/imagine', each))).toBe('bind_request_body_failed')
    expect(read('submit/describe', { base64: large }).action).toBe('DESCRIBE')
    expect(faultOf(() => read('submit/describe', `{"base64":"${large}\n"}`))).toBe('bind_request_body_failed')
  })

  it('has a path of its own, and every action a model', () => {
    expect(['submit/imagine', 'submit/nothing', 'toString'].map(isMidjourneyPath)).toEqual([
      true,
      false,
      false,
    ])
    for (const action of midjourneyActions)
      expect(midjourneyModel(action)).toMatch(/^(mj_[a-z_]+|swap_face)$/)
  })

  it('is refused in the words of the protocol', () => {
    const fault = new MidjourneyFault('prompt_is_required')
    expect([fault.status, new MidjourneyFault('busy', 30).status]).toEqual([400, 429])
    expect(encodeMidjourneyFault(fault)).toEqual({
      description: 'prompt_is_required',
      type: 'upstream_error',
      code: 4,
    })
  })
})

describe('the body that goes upstream', () => {
  const body =
    '{ "prompt":"cat --fast --ar 16:9 --RELAX", "notifyHook":"http://me.example",\n "x": [1.0], "accountFilter":{"modes":["FAST"]}}'
  const { fields } = read('submit/imagine', body)
  const sent = (options: Partial<Parameters<typeof midjourneyBody>[1]>, of = fields) =>
    midjourneyBody(of, { notifyHook: '', keepsAccountFilter: true, clearsMode: false, ...options })

  it('passes as written but for what the operator decides', () => {
    expect(sent({ notifyHook: 'http://me.example' })).toBe(body)
    expect(sent({})).toBe(body.replace(', "notifyHook":"http://me.example"', ''))
    expect(sent({ keepsAccountFilter: false })).not.toContain('accountFilter')
    expect(sent({ notifyHook: 'https://gw.example/mj/notify/s' })).toContain(
      '"notifyHook":"https://gw.example/mj/notify/s"',
    )
    expect(JSON.parse(sent({ clearsMode: true })).prompt).toBe('cat --ar 16:9')
  })

  it('keeps words that only begin like a flag, and gets a hook where there was none', () => {
    const plain = read('submit/imagine', '{"prompt":" cat --faster --fast-food "}').fields
    expect(sent({ clearsMode: true }, plain)).toBe('{"prompt":" cat --faster --fast-food "}')
    expect(sent({ notifyHook: 'h' }, plain)).toBe('{"prompt":" cat --faster --fast-food ","notifyHook":"h"}')
  })
})
