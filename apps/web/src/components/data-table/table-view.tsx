import type { RowData } from '@tanstack/react-table'
import { Settings2 } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type LocalKey, useLocal, writeLocal } from '../../lib/browser/local-store.ts'
import { usePhone } from '../../lib/browser/media-query.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu, menuChoice } from '../ui/overlay/menu.tsx'
import { type DataColumn, isHideable } from './columns.ts'

export type Density = 'normal' | 'compact'

/** View of one table in this browser: its columns, and the height of its rows. */
export interface TableView<Row extends RowData> {
  readonly id: string
  readonly columns: readonly DataColumn<Row>[]
  readonly visibility: Readonly<Record<string, boolean>>
  readonly density: Density
}

/** Reads a stored choice; columns it does not know keep their default. Exported for its test. */
export function visibilityFrom<Row extends RowData>(
  columns: readonly DataColumn<Row>[],
  stored: string | null,
): Readonly<Record<string, boolean>> {
  let choice: Readonly<Record<string, unknown>> = {}
  try {
    const value: unknown = stored === null ? null : JSON.parse(stored)
    if (typeof value === 'object' && value !== null) choice = value as Readonly<Record<string, unknown>>
  } catch {
    // An unreadable choice counts as none.
  }
  return Object.fromEntries(
    columns.map((column, index) => {
      const chosen = choice[column.id]
      return [
        column.id,
        !isHideable(column, index) || (typeof chosen === 'boolean' ? chosen : !column.hidden),
      ]
    }),
  )
}

/** The remembered view of a table. `id` names it in local storage: `channels`, `logs`, `tokens`. */
export function useTableView<Row extends RowData>(
  id: string,
  columns: readonly DataColumn<Row>[],
): TableView<Row> {
  const stored = useLocal(columnsKey(id))
  const density = useLocal(densityKey(id)) === 'compact' ? 'compact' : 'normal'
  const visibility = useMemo(() => visibilityFrom(columns, stored), [columns, stored])
  return { id, columns, visibility, density }
}

function columnsKey(id: string): LocalKey {
  return `${id}-table-columns`
}

function densityKey(id: string): LocalKey {
  return `${id}-table-density`
}

/** Column picker and row height; goes to the right end of the filter bar. Not shown on phones, where rows are cards. */
export function TableViewMenu<Row extends RowData>({ view }: { readonly view: TableView<Row> }) {
  const { t } = useTranslation()
  const phone = usePhone()
  if (phone) return null
  return (
    <Menu
      trigger={<IconButton icon={Settings2} label={t('table.view')} />}
      items={[
        { kind: 'heading', label: t('table.density') },
        menuChoice({
          label: t('table.density'),
          value: view.density,
          options: [
            { value: 'normal', label: t('table.normal') },
            { value: 'compact', label: t('table.compact') },
          ],
          choose: (density) => writeLocal(densityKey(view.id), density),
        }),
        { kind: 'separator' },
        { kind: 'heading', label: t('table.columns') },
        ...view.columns.map(
          (column, index) =>
            isHideable(column, index) && {
              kind: 'check' as const,
              label: column.header,
              checked: view.visibility[column.id] ?? true,
              change: (checked: boolean) =>
                writeLocal(columnsKey(view.id), JSON.stringify({ ...view.visibility, [column.id]: checked })),
            },
        ),
        { kind: 'separator' },
        { kind: 'action', label: t('table.reset'), run: () => writeLocal(columnsKey(view.id), null) },
      ]}
    />
  )
}
