import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListAnswer } from './use-list.ts'

interface Identified {
  readonly id: number
}

/** Keeps every page of a list that is in memory in step with what calls answered. */
export function listCache<Row extends Identified>(queryKey: QueryKey) {
  const lists = { queryKey: [...queryKey, 'list'] }
  const change = (client: QueryClient, part: (answer: ListAnswer<Row>) => ListAnswer<Row>) =>
    client.setQueriesData<ListAnswer<Row>>(lists, (answer) => answer && part(answer))
  return {
    /** A row as some page in memory has it. */
    find: (client: QueryClient, id: number): Row | undefined =>
      client
        .getQueriesData<ListAnswer<Row>>(lists)
        .flatMap(([, answer]) => answer?.rows ?? [])
        .find((row) => row.id === id),
    /** Shows a changed row where it stands. Follow with `refresh` when its place may have changed. */
    show: (client: QueryClient, changed: Row): void => {
      change(client, (answer) => ({
        ...answer,
        rows: answer.rows.map((row) => (row.id === changed.id ? changed : row)),
      }))
    },
    /** Takes rows that are gone off the screen at once. */
    drop: (client: QueryClient, ids: readonly number[]): void => {
      const gone = new Set(ids)
      change(client, (answer) => {
        const rows = answer.rows.filter(({ id }) => !gone.has(id))
        return { rows, total: answer.total - (answer.rows.length - rows.length) }
      })
    },
    /** Reads every list again: rows came, went or moved. */
    refresh: (client: QueryClient): Promise<void> => client.invalidateQueries(lists),
  }
}
