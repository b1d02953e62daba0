import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Cable, KeyRound, ReceiptText, Settings, Tags, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isAdmin, useUser } from '../../../lib/session.ts'
import type { PaletteEntry } from './palette-item.tsx'
import { channelSearch, modelSearch, requestSearch, tokenSearch, userSearch } from './server-search.ts'
import { type FoundSetting, settingSearch } from './setting-search.ts'

/** What the server found, by kind. */
export interface PaletteResults {
  readonly groups: readonly { readonly heading: string; readonly entries: readonly PaletteEntry[] }[]
  readonly searching: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** Everything with these words that the person may see. */
export function usePaletteSearch(text: string): PaletteResults {
  const { t, i18n } = useTranslation('shell')
  const user = useUser()
  const admin = isAdmin(user)
  const typed = user ? text : ''
  const searches = {
    requests: useQuery(requestSearch(typed, admin)),
    channels: useQuery(channelSearch(typed, admin)),
    users: useQuery(userSearch(typed, admin)),
    tokens: useQuery(tokenSearch(typed)),
    models: useQuery(modelSearch(typed)),
    settings: useQuery(settingSearch(typed, admin ? (user?.role ?? 0) : 0, i18n.language)),
  }
  const entries = useEntries()
  const all = Object.values(searches)
  return {
    groups: [
      { heading: t('palette.requests'), entries: searches.requests.data?.map(entries.request) ?? [] },
      { heading: t('palette.channels'), entries: searches.channels.data?.map(entries.channel) ?? [] },
      { heading: t('palette.users'), entries: searches.users.data?.map(entries.user) ?? [] },
      { heading: t('palette.keys'), entries: searches.tokens.data?.map(entries.token) ?? [] },
      { heading: t('palette.models'), entries: searches.models.data?.map(entries.model) ?? [] },
      { heading: t('palette.settings'), entries: searches.settings.data?.map(entries.setting) ?? [] },
    ],
    searching: all.some(({ isLoading }) => isLoading),
    error: all.find(({ error }) => error !== null)?.error ?? null,
    retry() {
      for (const { error, refetch } of all) if (error !== null) void refetch()
    },
  }
}

/** How each kind is shown, and where it leads. */
function useEntries() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
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
