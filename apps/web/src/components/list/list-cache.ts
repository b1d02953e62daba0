import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListData } from './use-list.ts'

interface Identified {
  readonly id: number
}

/**
 * Keeps what is in memory of a list in step with what calls return: its pages, and the record of an open sheet.
 * @param queryKey names all queries of the list
 * @param stale what `refresh` reads again; the pages unless given
 */
export function listCache<Row extends Identified>(
  queryKey: QueryKey,
  stale: QueryKey = [...queryKey, 'list'],
) {
  const pages = { queryKey: [...queryKey, 'list'] }
  const keyOf = (id: number) => [...queryKey, 'one', id]
  /** A page that is being read was perhaps read before the change, and is read again. */
  function change(client: QueryClient, part: (response: ListData<Row>) => ListData<Row>): void {
    client.setQueriesData<ListData<Row>>(pages, (response) => response && part(response))
    void client.invalidateQueries({ ...pages, fetchStatus: 'fetching' })
  }
  const find = (client: QueryClient, id: number): Row | undefined =>
    client
      .getQueriesData<ListData<Row>>(pages)
      .flatMap(([, response]) => response?.rows ?? [])
      .find((row) => row.id === id)
  /** Shows a changed row where it stands. */
  function show(client: QueryClient, changed: Row): void {
    const key = keyOf(changed.id)
    if (client.getQueryData(key)) client.setQueryData(key, changed)
    change(client, (response) => ({
      ...response,
      rows: response.rows.map((row) => (row.id === changed.id ? changed : row)),
    }))
  }
  /** Reads every page again: rows came, went or moved. */
  const refresh = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: stale })
  return {
    show,
    refresh,
    /** Shows a changed row, and reads the list again because its place may have changed. */
    saved(client: QueryClient, changed: Row): void {
      show(client, changed)
      void refresh(client)
    },
    /** Removes deleted rows from the screen immediately. */
    drop(client: QueryClient, ids: readonly number[]): void {
      const gone = new Set(ids)
      change(client, (response) => {
        const rows = response.rows.filter(({ id }) => !gone.has(id))
        return { rows, total: response.total - (response.rows.length - rows.length) }
      })
    },
    /** One record: at once as a page knows it, then as the server does. */
    one: (client: QueryClient, id: number, get: (id: number, signal: AbortSignal) => Promise<Row>) => ({
      queryKey: keyOf(id),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => get(id, signal),
      placeholderData: () => find(client, id),
      // A form starts from what is stored now, not from what was stored when it was last open.
      staleTime: 0,
      gcTime: 0,
    }),
  }
}

export type ListCache<Row extends Identified> = ReturnType<typeof listCache<Row>>
