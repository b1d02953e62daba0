import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { calls, type FoundKey, nameOf, type PartHolder, tokenStatuses } from '@tollgate/api'
import type { SettingTab } from '@tollgate/api/settings'
import i18next from 'i18next'
import { Cable, Ellipsis, KeyRound, ReceiptText, Settings, Snowflake, Tags, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../../i18n/index.ts'
import { ApiError, request } from '../../../lib/api/api-client.ts'
import { findKey, isWholeKey } from '../../../lib/pasted-key.ts'
import { hasPart, isAdmin, partHolderOf, useUser } from '../../../lib/session/session.ts'
import { useFreezeKey, useShowKey } from '../../found-key/index.ts'
import type { PaletteEntry } from './palette-item.tsx'
import { byRank, type Group } from './rank.ts'

/** Results of the server, by kind. */
export interface PaletteResults {
  readonly groups: readonly Group<PaletteEntry>[]
  readonly searching: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/**
 * Everything with these words that the person may see.
 * @param text what the server is asked for
 * @param typedNow what settings are looked through for, which needs no server
 */
export function usePaletteSearch(text: string, typedNow: string): PaletteResults {
  const { t, i18n } = useTranslation('shell')
  const user = useUser()
  const key = user && isWholeKey(text) ? text : ''
  const typed = user && !isSecret(text) ? text : ''
  const searches = {
    keys: useQuery(keySearch(key)),
    requests: useQuery(requestSearch(typed, hasPart(user, 'log'))),
    channels: useQuery(channelSearch(typed, hasPart(user, 'channels'))),
    users: useQuery(userSearch(typed, hasPart(user, 'users'))),
    tokens: useQuery(tokenSearch(typed)),
    models: useQuery(modelSearch(typed)),
    settings: useQuery(
      settingSearch(isAdmin(user) && !isSecret(typedNow) ? typedNow : '', partHolderOf(user), i18n.language),
    ),
  }
  const entries = useEntries()
  const all = Object.values(searches)
  const navigate = useNavigate()
  /** The first results of a kind, and the way to its list where there are more. */
  function first<Found>(
    kind: Listed,
    found: readonly Found[] | undefined,
    entryOf: (one: Found) => PaletteEntry,
  ): Group<PaletteEntry> {
    const heading = t(`palette.${kind}`)
    const items = (found ?? []).map(entryOf)
    if (items.length <= perKind) return { heading, entries: items }
    const rest: PaletteEntry = {
      id: `more-${kind}`,
      title: t('palette.more', { list: heading }),
      group: kind,
      icon: Ellipsis,
      run: () => void navigate({ to: lists[kind], search: { keyword: text } }),
    }
    return { heading, entries: [...items.filter((_, rank) => rank < perKind), rest] }
  }
  return {
    groups: [
      { heading: t('palette.keys'), entries: searches.keys.data?.flatMap(entries.found) ?? [] },
      { heading: t('palette.requests'), entries: searches.requests.data?.map(entries.request) ?? [] },
      first('channels', searches.channels.data, entries.channel),
      first('users', searches.users.data, entries.user),
      first('keys', searches.tokens.data, entries.token),
      first('models', searches.models.data, entries.model),
      first('settings', searches.settings.data, entries.setting),
    ],
    searching: all.some(({ isLoading }) => isLoading),
    error: all.find(({ error }) => error !== null)?.error ?? null,
    retry() {
      for (const { error, refetch } of all) if (error !== null) void refetch()
    },
  }
}

/** Returns the texts and targets of each kind. */
function useEntries() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const showKey = useShowKey()
  const freezeKey = useFreezeKey()
  return {
    request: (row: {
      readonly request_id: string
      readonly created_at: number
      readonly model_name: string
    }): PaletteEntry => ({
      id: `request-${row.request_id}`,
      title: row.request_id,
      detail: row.model_name,
      group: 'requests',
      icon: ReceiptText,
      run: () => void navigate({ to: '/log/request/$id', params: { id: row.request_id } }),
    }),
    channel: ({ id, name }: { readonly id: number; readonly name: string }): PaletteEntry => ({
      id: `channel-${id}`,
      title: name,
      detail: t('palette.number', { id }),
      group: 'channels',
      icon: Cable,
      run: () => void navigate({ to: '/channel/edit/$id', params: { id: String(id) } }),
    }),
    user: (row: {
      readonly id: number
      readonly username: string
      readonly display_name: string
    }): PaletteEntry => ({
      id: `user-${row.id}`,
      title: row.display_name || row.username,
      detail: row.username,
      group: 'users',
      icon: UserRound,
      run: () => void navigate({ to: '/user/edit/$id', params: { id: String(row.id) } }),
    }),
    found: (key: FoundKey): readonly PaletteEntry[] => [
      {
        id: `key-${key.id}`,
        title: key.name,
        detail: t('key.detail', { user: key.username, state: t(`key.state.${keyStateOf(key)}`) }),
        group: 'tokens',
        icon: KeyRound,
        run: () => showKey(key),
      },
      ...(key.may_freeze && key.frozen_at === 0
        ? [
            {
              id: `freeze-${key.id}`,
              title: t('key.freezeEntry', { name: key.name, user: key.username }),
              group: 'tokens',
              icon: Snowflake,
              run: () => void freezeKey.freeze(key),
            },
          ]
        : []),
    ],
    token: ({ id, name }: { readonly id: number; readonly name: string }): PaletteEntry => ({
      id: `token-${id}`,
      title: name,
      detail: t('palette.number', { id }),
      group: 'tokens',
      icon: KeyRound,
      run: () => void navigate({ to: '/token/edit/$id', params: { id: String(id) } }),
    }),
    model: (model: string): PaletteEntry => ({
      id: `model-${model}`,
      title: model,
      group: 'models',
      icon: Tags,
      run: () => void navigate({ to: '/pricing', search: { keyword: model } }),
    }),
    setting: ({ key, tab, label, section }: FoundSetting): PaletteEntry => ({
      id: `setting-${key}`,
      title: label,
      detail: section,
      group: 'settings',
      icon: Settings,
      run: () => void navigate({ to: '/setting', search: { tab, keyword: key } }),
    }),
  }
}

/** Number of results of a kind: the list has the others. */
const perKind = 5
/** One more than are visible tells whether there are more. */
const readPerKind = perKind + 1

/** The list of each kind. */
const lists = {
  channels: '/channel',
  users: '/user',
  keys: '/token',
  models: '/pricing',
  settings: '/setting',
} as const
type Listed = keyof typeof lists
const keepMs = 30_000

/** A search of the server by what is typed. A newer text takes the older search back. */
function search<Found>(
  kind: string,
  text: string,
  read: (signal: AbortSignal) => Promise<readonly Found[]>,
  enabled = true,
) {
  return queryOptions({
    queryKey: ['palette', kind, text],
    queryFn: enabled && text !== '' ? ({ signal }: { signal: AbortSignal }) => read(signal) : skipToken,
    staleTime: keepMs,
    gcTime: keepMs,
    retry: false,
  })
}

/** Text that may be a key, or become one: no call has it in its address. */
function isSecret(text: string): boolean {
  return isWholeKey(text) || /^(?:bearer\s+)?sk-.{9,}/i.test(text)
}

/** Whose key the text is; forgotten with the palette. A text that is no key of anybody finds nothing. */
const keySearch = (text: string) => ({
  ...search('keys', text, async (signal) => {
    try {
      return [await findKey(text, signal)]
    } catch (error) {
      if (error instanceof ApiError && error.code === 'key_not_found') return []
      throw error
    }
  }),
  gcTime: 0,
})

/** The state of a key in one word: what ends it goes before what its owner chose. */
function keyStateOf(key: FoundKey) {
  if (key.deleted_at !== 0) return 'deleted'
  if (key.frozen_at !== 0) return 'frozen'
  if (key.replaced !== null) return 'replaced'
  return nameOf(tokenStatuses, key.status) ?? 'disabled'
}

/** Searches by the name or the id. */
export const channelSearch = (text: string, enabled: boolean) =>
  search(
    'channels',
    text,
    (signal) =>
      request(calls.channels.search, { query: { keyword: text, p: 0, page_size: readPerKind }, signal }),
    enabled,
  )

/** Searches by a name, the address or the id. */
const userSearch = (text: string, enabled: boolean) =>
  search(
    'users',
    text,
    async (signal) =>
      (
        await request(calls.userAdmin.search, {
          query: { keyword: text, p: 1, page_size: readPerKind },
          signal,
        })
      ).items,
    enabled,
  )

/** Own keys, by the name or by a key that was pasted. */
const tokenSearch = (text: string) =>
  search('tokens', text, (signal) => {
    const terms = text.startsWith('sk-') ? { token: text } : { keyword: text }
    return request(calls.tokens.list, { query: { ...terms, p: 0, size: readPerKind }, signal })
  })

/** Models that the person may call, by a part of the name. They are read once and looked through here. */
export const modelSearch = (text: string) => ({
  ...search('models', text === '' ? '' : 'all', (signal) => request(calls.users.models, { signal })),
  select: (models: readonly string[]) =>
    models.filter((model) => model.toLowerCase().includes(text.toLowerCase())).slice(0, readPerKind),
})

/** Request ids of the gateway: a moment as 23 digits, and 8 random characters. Nothing else is looked for in the log. */
const requestId = /^\d{23}[\dA-Za-z]{8}$/

const requestSearch = (text: string, everyones: boolean) =>
  search(
    everyones ? 'requests' : 'own-requests',
    text,
    async (signal) => {
      const query = { request_id: text, p: 1, page_size: 1 }
      const call = everyones ? calls.logs.list : calls.logs.listSelf
      return (await request(call, { query, signal })).items
    },
    requestId.test(text),
  )

interface FoundSetting {
  readonly key: string
  readonly tab: Exclude<SettingTab, 'hidden'>
  readonly label: string
  readonly section: string
}

/** The settings that somebody may read whose name, sentence or key has the words. The catalogue comes when it is first searched. */
function settingSearch(text: string, reader: PartHolder, language: string) {
  return queryOptions({
    queryKey: ['palette', 'settings', text, reader, language],
    queryFn: text !== '' ? () => findSettings(text, reader) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    retry: false,
  })
}

async function findSettings(text: string, reader: PartHolder): Promise<readonly FoundSetting[]> {
  const [{ mayRead, settingCatalogue, settingGroups, settingKeys }] = await Promise.all([
    import('@tollgate/api/settings'),
    loadTexts('settings'),
  ])
  // Names of settings are put together here, so they are no literal keys.
  const sentence = (key: string): string => i18next.t(key as never, { ns: 'settings', defaultValue: '' })
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found: FoundSetting[] = []
  for (const key of settingKeys) {
    const { group } = settingCatalogue[key]
    const tab = settingGroups[group]
    if (tab === 'hidden' || !mayRead(reader, key)) continue
    const label = sentence(`field.${key}.label`) || key
    const searched = `${key} ${label} ${sentence(`field.${key}.hint`)}`.toLowerCase()
    if (words.every((word) => searched.includes(word)))
      found.push({ key, tab, label, section: sentence(`group.${group}`) })
  }
  const findable = found.map((setting) => ({ setting, title: setting.label, keywords: [setting.key] }))
  return byRank(findable, text)
    .slice(0, readPerKind)
    .map(({ setting }) => setting)
}
