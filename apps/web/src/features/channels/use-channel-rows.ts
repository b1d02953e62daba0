import type { QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { type List, preloadList, useList } from '../../components/list/index.ts'
import { channelsSource } from './api.ts'
import { type ChannelRow, rowCountOf, rowsByTag } from './channel-rows.ts'
import type { ChannelsSearch } from './search.ts'
import { problemsFirst, storedIdSort, useIdSort } from './view-toggles.tsx'

/** Health changes by itself; while the server works through all channels, or one drains, it changes every few seconds. */
const refreshMs = 30_000
const busyRefreshMs = 3000

function listOf(search: ChannelsSearch, id_sort: boolean, busy: boolean) {
  const { page: _page, sort: _sort, selected: _selected, saved: _saved, tested: _tested, ...filter } = search
  const sort = search.sort ?? (id_sort ? undefined : problemsFirst)
  const options = { refreshMs: busy ? busyRefreshMs : refreshMs, defaultPageSize: 50 }
  return [channelsSource({ ...filter, id_sort }), { ...search, sort }, options] as const
}

/** Reads what `useChannelRows` asks for first. */
export function preload(client: QueryClient, search: ChannelsSearch): void {
  preloadList(client, ...listOf(search, storedIdSort(), false))
}

/** The rows on screen: channels, or tags with the channels of those that are open. */
export function useChannelRows(search: ChannelsSearch, busy: boolean) {
  const navigate = useNavigate({ from: '/channel' })
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [drains, setDrains] = useState(false)
  const list = useList(...listOf(search, useIdSort(), busy || drains))
  const isDraining = list.rows?.some(({ drain }) => drain != null) === true
  if (drains !== isDraining) setDrains(isDraining)

  /** Folds a tag, and clears its selection: folded rows cannot be seen to be chosen. */
  const toggleTag = useCallback(
    (tag: string) => {
      setOpen((tags) => {
        const next = new Set(tags)
        if (!next.delete(tag)) next.add(tag)
        return next
      })
      void navigate({
        to: '/channel',
        search: (now) => ({ ...now, selected: undefined }),
        replace: true,
      })
    },
    [navigate],
  )

  const { rows: channels } = list
  const byTag: List<ChannelRow> =
    search.tag_mode && channels
      ? { ...list, rows: rowsByTag(channels, (tag) => open.has(tag)), count: rowCountOf(channels) }
      : list
  return { list: byTag, toggleTag }
}
