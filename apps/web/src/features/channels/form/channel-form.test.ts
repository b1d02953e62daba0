import { describe, expect, it } from 'bun:test'
import { type Channel, type ChannelBody, channelCreateBody, channelUpdateBody } from '@tollgate/api'
import { channelFields } from '@tollgate/api/channel-fields'
import { blankBody } from '../../../components/form/index.ts'
import { mappingDraftOf } from '../mapping/mapping.ts'
import { cellProblem } from './cell-problem.ts'
import {
  blankForm,
  type ChannelForm,
  createBodyOf,
  endsInVersion,
  formOf,
  newBodyOf,
  updateBodyOf,
  withoutVersion,
} from './channel-form.ts'
import {
  extraSettingOf,
  isOn,
  settingProblem,
  switchesOf,
  withExtraSetting,
  withSwitch,
} from './extra-setting.ts'
import { firstOf } from './form-fields.ts'
import { firstKeyFault } from './key-fault.ts'
import { liveProblems, problemsOf } from './problems.ts'

const stored: Channel = {
  ...blankBody<ChannelBody>(channelFields),
  id: 7,
  key: '',
  key_count: 2,
  name: 'Main',
  openai_organization: 'org-1',
  base_url: 'https://example.com',
  models: 'gpt-4o,o3',
  group: 'default,vip',
  model_mapping: '{"gpt-4":"gpt-4o"}',
  param_override: '{"temperature":0}',
  setting: '{"force_format":true,"later":1}',
  test_model: 'o3',
  priority: 5,
  weight: 2,
  tag: 'eu',
  used_quota: 0,
  balance: 0,
  balance_updated_time: 0,
  response_time: 0,
  test_time: 0,
  test_failure: null,
  created_time: 0,
  other_info: '',
  health: {
    condition: 'untested',
    last_hour: { ok: 0, failed: 0, other_failures: 0, latency_ms: 0 },
    state: 'closed',
    error_rate: 0,
    reason: '',
    reason_code: '',
    reason_params: {},
    last_success_time: 0,
    last_failure_time: 0,
    last_failure_code: '',
    last_failure_params: {},
    never_answered: true,
    retry_at: 0,
    recent_ms: [],
    keys: [],
  },
}
/** The types of providers whose form differs. */
const typeIds = { spark: 18, custom: 8, suno: 36, vertex: 41 }
const filled: ChannelForm = { ...blankForm, name: ' Main ', keys: 'sk-a\n\nsk-b\n', models: ['gpt-4o'] }

describe('the form on the wire', () => {
  it('is a body that the contract accepts, with lists joined and texts trimmed', () => {
    const body = createBodyOf({ ...filled, groups: ['default', 'vip'], baseUrl: ' https://example.com// ' })
    expect(channelCreateBody.parse(body)).toMatchObject({
      name: 'Main',
      key: 'sk-a\n\nsk-b',
      models: 'gpt-4o',
      group: 'default,vip',
      base_url: 'https://example.com',
      auto_ban: 1,
      status: 1,
    })
  })

  it('fills in what the specification defaults', () => {
    expect(createBodyOf({ ...filled, type: typeIds.spark }).other).toBe('v2.1')
    expect(createBodyOf({ ...filled, weight: -3 }).weight).toBe(0)
  })

  it('sends nothing but the id when nothing was changed', () => {
    expect(updateBodyOf(7, formOf(stored), formOf(stored))).toEqual({ id: 7 })
  })

  it('sends only what was changed, and a key only when one was typed', () => {
    const start = formOf(stored)
    const body = updateBodyOf(7, { ...start, name: 'Other', tag: '', keys: 'sk-new' }, start)
    expect(body).toEqual({ id: 7, name: 'Other', tag: '', key: 'sk-new' })
    expect(channelUpdateBody.parse(body)).toEqual(body)
  })

  it('makes one channel of several keys, or one of each when asked', () => {
    expect(channelCreateBody.parse(newBodyOf(filled)).mode).toBe('single')
    expect(channelCreateBody.parse(newBodyOf({ ...filled, separate: true })).mode).toBe('separate')
  })

  it('notices a needless /v1, but not in a full URL', () => {
    expect(endsInVersion({ type: 1, baseUrl: 'https://example.com/v1/' })).toBe(true)
    expect(endsInVersion({ type: 1, baseUrl: 'https://example.com/v1beta' })).toBe(false)
    expect(endsInVersion({ type: typeIds.custom, baseUrl: 'https://example.com/v1' })).toBe(false)
    expect(withoutVersion('https://example.com/v1/')).toBe('https://example.com')
  })
})

describe('problems of the form', () => {
  it('asks a new channel for name, key and a model, topmost first', () => {
    expect(problemsOf(blankForm, 'create')).toEqual({
      name: 'nameRequired',
      keys: 'keyRequired',
      models: 'modelsRequired',
    })
    expect(firstOf(problemsOf({ ...blankForm, name: 'Main' }, 'create'))).toBe('keyRequired')
    expect(problemsOf(filled, 'create')).toEqual({})
  })

  it('needs no key for a stored channel', () => {
    expect(problemsOf(formOf(stored), 'edit')).toEqual({})
  })

  it('refuses a type that nothing serves, but lets a stored one be edited', () => {
    const later = { ...filled, type: 999, baseUrl: 'https://later.example' }
    expect(problemsOf(later, 'create')).toEqual({ type: 'typeUnsupported' })
    expect(problemsOf(later, 'edit')).toEqual({})
    expect(problemsOf({ ...later, type: typeIds.suno }, 'create')).toEqual({})
  })

  it('says what is wrong with a key while it is typed, and which one', () => {
    const aws = { ...filled, type: 33, keys: 'ak|sk|us-east-1\nplain' }
    expect(liveProblems(aws, 'create')).toEqual({ keys: 'keyFormat' })
    expect(firstKeyFault(aws)).toEqual({ line: 2, problem: 'keyFormat' })
    expect(liveProblems({ ...aws, keys: '' }, 'create')).toEqual({})
    expect(problemsOf({ ...filled, keys: 'sk-ключ' }, 'edit').keys).toBe('keyInvalid')
    expect(problemsOf({ ...filled, type: typeIds.vertex, keys: '{' }, 'create')).toMatchObject({
      keys: 'keyServiceAccount',
      other: 'regionRequired',
    })
  })

  it('asks for an address where the type has none, and takes a slot for the model in a full URL', () => {
    const custom = { ...filled, type: typeIds.custom }
    expect(problemsOf(custom, 'create')).toEqual({ baseUrl: 'baseUrlRequired' })
    expect(problemsOf({ ...custom, baseUrl: 'https://example.com/{model}/chat' }, 'create')).toEqual({})
    expect(problemsOf({ ...filled, baseUrl: 'example.com' }, 'create')).toEqual({ baseUrl: 'baseUrlInvalid' })
  })

  it('checks numbers and every JSON', () => {
    expect(problemsOf({ ...filled, priority: undefined, weight: undefined }, 'create')).toEqual({
      priority: 'priorityInvalid',
      weight: 'weightInvalid',
    })
    expect(problemsOf({ ...filled, priority: -1000 }, 'create')).toEqual({ priority: 'priorityInvalid' })
    const broken = {
      ...filled,
      modelMapping: { view: 'json' as const, text: '{' },
      statusCodeMapping: mappingDraftOf('{"500":"200"}'),
      paramOverride: '{"stream":true}',
      setting: '{"proxy":"socks"}',
    }
    expect(problemsOf(broken, 'create')).toEqual({
      modelMapping: 'modelMapping.notJson',
      statusCodeMapping: 'statusMapping.notStatus',
      paramOverride: 'overrideStream',
      setting: 'settingProxy',
    })
    expect(problemsOf({ ...filled, paramOverride: '[]' }, 'create')).toEqual({
      paramOverride: 'overrideNotObject',
    })
  })

  it('holds cells of the list to the rules of the form', () => {
    expect(cellProblem('priority', -999)).toBeUndefined()
    expect(cellProblem('priority', undefined)).toBe('priorityInvalid')
    expect(cellProblem('weight', -1)).toBe('weightInvalid')
  })
})

describe('extra settings', () => {
  it('changes the proxy and leaves every other key alone', () => {
    expect(extraSettingOf(stored.setting)?.proxy).toBe('')
    expect(JSON.parse(withExtraSetting(stored.setting, { proxy: 'http://p:1' }))).toEqual({
      force_format: true,
      later: 1,
      proxy: 'http://p:1',
    })
    expect(withExtraSetting('{"proxy":"http://p:1"}', { proxy: '' })).toBe('')
  })

  it('reads and writes what passes through by the name that others use, too', () => {
    const text = '{"pass_through_body_enabled":true,"later":false}'
    expect(extraSettingOf(text)?.pass_through_body).toBe(true)
    expect(JSON.parse(withExtraSetting(text, { system_prompt: 'Be brief.' }))).toEqual({
      later: false,
      pass_through_body: true,
      system_prompt: 'Be brief.',
    })
    expect(JSON.parse(withExtraSetting(text, { pass_through_body: false }))).toEqual({ later: false })
  })

  it('switches what callers may ask for, and leaves every other key alone', () => {
    const allowed = withSwitch(stored.setting, 'allow_hosted_tools', true)
    expect(JSON.parse(allowed)).toEqual({ force_format: true, later: 1, allow_hosted_tools: true })
    expect([isOn(allowed, 'allow_hosted_tools'), isOn(allowed, 'allow_speed')]).toEqual([true, false])
    expect(withSwitch('{"allow_speed":true}', 'allow_speed', false)).toBe('')
    expect(withSwitch('[', 'allow_speed', true)).toBe('[')
    expect([switchesOf(3), switchesOf(1)]).toEqual([['strip_deployment_dots'], []])
  })

  it('says what is wrong, and has no control for a text that is not a JSON object', () => {
    expect(settingProblem('')).toBeUndefined()
    expect(settingProblem('[]')).toBe('settingNotJson')
    expect(extraSettingOf('{')).toBeUndefined()
    expect(settingProblem('{"force_format":"yes"}')).toBe('settingNotFlag')
    expect(settingProblem('{"allow_speed":"yes"}')).toBe('settingNotFlag')
    expect(settingProblem('{"strip_deployment_dots":"yes"}')).toBe('settingNotFlag')
    expect(settingProblem('{"system_prompt":1}')).toBe('settingNotText')
    expect(settingProblem('{"proxy":"socks4://p"}')).toBe('settingProxy')
    for (const text of ['{"proxy":null}', '{"proxy":"socks5://a:b@p:1080"}'])
      expect(settingProblem(text)).toBeUndefined()
  })
})
