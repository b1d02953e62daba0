import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListData } from './use-list.ts'

interface Identified {
  readonly id: number
}

/** Keeps every page of a list that is in memory in step with what calls answered. */
export function listCache<Row extends Identified>(queryKey: QueryKey) {
  const lists = { queryKey: [...queryKey, 'list'] }
  const change = (client: QueryClient, part: (response: ListData<Row>) => ListData<Row>) =>
    client.setQueriesData<ListData<Row>>(lists, (response) => response && part(response))
  return {
    /** A row as some page in memory has it. */
    find: (client: QueryClient, id: number): Row | undefined =>
      client
        .getQueriesData<ListData<Row>>(lists)
        .flatMap(([, response]) => response?.rows ?? [])
        .find((row) => row.id === id),
    /** Shows a changed row where it stands. Follow with `refresh` when its place may have changed. */
    show: (client: QueryClient, changed: Row): void => {
      change(client, (response) => ({
        ...response,
        rows: response.rows.map((row) => (row.id === changed.id ? changed : row)),
      }))
    },
    /** Takes rows that are gone off the screen at once. */
    drop: (client: QueryClient, ids: readonly number[]): void => {
      const gone = new Set(ids)
      change(client, (response) => {
        const rows = response.rows.filter(({ id }) => !gone.has(id))
        return { rows, total: response.total - (response.rows.length - rows.length) }
      })
    },
    /** Reads every list again: rows came, went or moved. */
    refresh: (client: QueryClient): Promise<void> => client.invalidateQueries(lists),
  }
}
