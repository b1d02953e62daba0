import { casesOf, type Kind } from '../kind.ts'
import { literal } from '../world.ts'

interface Channel {
  readonly id: number
  readonly name: string
  readonly tag: string
  /** The record of a change of its weight. */
  readonly recordId: number
}

const keys = ['sk-the-first-key-001', 'sk-the-second-key-002', 'sk-the-third-key-003'] as const
const hintOf = (key: string) => `${key.slice(0, 3)}***${key.slice(-3)}`
const fields = 'name, status, models, groups, tag, priority, weight, key_count, model_mapping'

/** A channel with three keys. */
export const channels: Kind<Channel> = {
  rows: 'channels',
  async create({ rows, roots: [root], fresh }) {
    const [name, tag] = [fresh('channel'), fresh('tag')]
    const made = { type: 1, name, tag, models: 'first', key: keys.join('\n'), base_url: 'http://127.0.0.1:9' }
    const { id } = (await root?.api<{ id: number }>('POST', '/api/channel/', { ...made, weight: 3 })) ?? {
      id: 0,
    }
    await root?.api('PUT', '/api/channel/', { id, weight: 4 })
    const [record] = await rows.select(
      `select max(id) as id from audit_log where target_kind = 'channel' and target_id = ${id}`,
    )
    return { id, name, tag, recordId: Number(record?.['id']) }
  },
  async read({ rows }, { name, tag }) {
    const found = await rows.select(
      `select ${fields}, key_states from channels where name = ${literal(name)} or name like ${literal(`${name} %`)} order by id`,
    )
    const states = found.map(({ key_states, ...row }) => ({ ...row, states: statesIn(String(key_states)) }))
    return JSON.stringify(states).replaceAll(`"${name}`, '"name').replaceAll(`"${tag}`, '"tag')
  },
  async clear({ roots: [root] }) {
    await root?.api('DELETE', '/api/channel/disabled')
    await root?.api('POST', '/api/channel/fix')
  },
  cases: [
    ...casesOf<Channel>('channels.update', {
      'weight 7': ({ id }) => ({ body: { id, weight: 7 } }),
      disable: ({ id }) => ({ body: { id, status: 2 } }),
      'one other key': ({ id }) => ({ body: { id, key: 'sk-the-fourth-key-004' } }),
    }),
    ...casesOf<Channel>('channels.changeKey', {
      'disable the first': ({ id }) => keyAct(id, 0, 'disable'),
      'disable the second': ({ id }) => keyAct(id, 1, 'disable'),
      'delete the first': ({ id }) => keyAct(id, 0, 'delete'),
    }),
    ...casesOf<Channel>('channels.schedule', {
      'plan to switch it off': ({ id }) => ({ params: { id }, body: { off_at: 4_000_000_000, on_at: 0 } }),
    }),
    ...casesOf<Channel>('channels.cancelSchedule', {
      'cancel its schedule': ({ id }) => ({ params: { id } }),
    }),
    ...casesOf<Channel>('channels.drain', {
      drain: ({ id }) => ({ params: { id }, body: { stays: true } }),
    }),
    ...casesOf<Channel>('channels.endDrain', {
      'end a drain': ({ id }) => ({ params: { id } }),
    }),
    ...casesOf<Channel>('channels.addKeys', {
      'add a key': ({ id }) => ({ params: { id }, body: { key: 'sk-one-more-key-0005' } }),
    }),
    ...casesOf<Channel>('channels.updateMany', {
      'add a model': ({ id }) => ({ body: { ids: [id], models: { mode: 'add', names: 'third' } } }),
      'add another model': ({ id }) => ({ body: { ids: [id], models: { mode: 'add', names: 'fourth' } } }),
      'enable, and add a group': ({ id }) => ({
        body: { ids: [id], status: 1, group: { mode: 'add', names: 'vip' } },
      }),
    }),
    ...casesOf<Channel>('channels.tagMany', {
      'take the tag off': ({ id }) => ({ body: { ids: [id], tag: null } }),
    }),
    ...casesOf<Channel>('channels.updateTag', {
      'priority 5': ({ tag }) => ({ body: { tag, priority: 5 } }),
      'another tag': ({ tag }) => ({ body: { tag, new_tag: `${tag}-renamed` } }),
    }),
    ...casesOf<Channel>('channels.enableTag', { enable: ({ tag }) => ({ body: { tag } }) }),
    ...casesOf<Channel>('channels.disableTag', { disable: ({ tag }) => ({ body: { tag } }) }),
    ...casesOf<Channel>('channels.setStatus', {
      'disable by its own call': ({ id }) => ({ params: { id }, body: { status: 2 } }),
    }),
    ...casesOf<Channel>('channels.copy', { copy: ({ id }) => ({ params: { id } }) }),
    ...casesOf<Channel>('channels.delete', { delete: ({ id }) => ({ params: { id } }) }),
    ...casesOf<Channel>('channels.deleteMany', { delete: ({ id }) => ({ body: { ids: [id] } }) }),
    ...casesOf<Channel>('auditLog.revert', {
      'revert the weight': ({ recordId }) => ({ params: { id: recordId } }),
    }),
    ...casesOf<Channel>('channels.deleteDisabled', { delete: () => ({}) }, { isGlobal: true }),
    ...casesOf<Channel>('channels.fix', { fix: () => ({}) }, { isGlobal: true }),
  ],
}

function keyAct(id: number, index: 0 | 1, act: 'disable' | 'delete') {
  return { params: { id }, body: { index, hint: hintOf(keys[index]), act } }
}

function statesIn(text: string): unknown {
  const states = JSON.parse(text) as { readonly index: number; readonly status: string }[]
  return states.map(({ index, status }) => `${index} ${status}`).toSorted()
}
