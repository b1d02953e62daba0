import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MenuItems } from '../ui/menu-items.ts'
import type { BulkAction } from './bulk-actions.tsx'
import type { ListFilter } from './list-filters.tsx'
import type { ResourceApi } from './resource-api.ts'
import { RowControls, useRowDeletion, useRowSwitch } from './row-controls.tsx'
import { useStatusActions } from './status-actions.ts'

/** Texts of a resource that can be enabled, disabled and deleted: each namespace has them under the same keys. */
export type ResourceTexts = 'tokens' | 'redemptions'

function useResourceTexts(texts: ResourceTexts) {
  return useTranslation(texts as 'tokens').t
}

interface NamedRow {
  readonly id: number
  readonly name: string
}

export interface ResourceRowProps<Row extends NamedRow> {
  readonly api: ResourceApi<Row>
  readonly texts: ResourceTexts
  readonly row: Row
  readonly isEnabled: boolean
  /** The status that a press of the switch sets; left out for a row that has no switch. */
  readonly nextStatus: number | undefined
  /** On a phone, left of the buttons. */
  readonly onCard: ReactNode
  /** Everything but deletion. */
  readonly items: MenuItems
}

/** What can be done to one row: a switch, and a menu that ends with deletion. */
export function ResourceRow<Row extends NamedRow>({
  api,
  texts,
  row: { id, name },
  isEnabled,
  nextStatus,
  onCard,
  items,
}: ResourceRowProps<Row>) {
  const t = useResourceTexts(texts)
  const onOff = useRowSwitch({
    enabled: isEnabled,
    label: t(isEnabled ? 'action.disable' : 'action.enable', { name }),
    change: () => api.setStatus(id, nextStatus ?? 0),
    lists: api.lists,
    done: t(isEnabled ? 'toast.disabled' : 'toast.enabled', { name }),
  })
  const remove = useRowDeletion({
    id,
    remove: api.remove,
    lists: api.lists,
    question: {
      title: t('delete.title', { name }),
      description: t('delete.description'),
      confirmLabel: t('delete.confirm'),
    },
    done: t('toast.deleted', { name }),
  })
  return (
    <RowControls
      onCard={onCard}
      onOff={nextStatus === undefined ? undefined : onOff}
      more={t('action.more', { name })}
      items={[
        ...items,
        { kind: 'separator' },
        { kind: 'action', icon: Trash2, label: t('action.delete'), danger: true, run: () => void remove() },
      ]}
    />
  )
}

/** What can be done to many rows at once. */
export function useResourceActions<Row extends NamedRow>(
  api: ResourceApi<Row>,
  texts: ResourceTexts,
): readonly BulkAction[] {
  const t = useResourceTexts(texts)
  return useStatusActions({
    change: api.changeMany,
    lists: api.lists,
    text: (name, count) => t(`bulk.${name}`, { count }),
    deletion: t('delete.description'),
  })
}

/** How the chosen rows are copied. */
export function useResourceCopy<Row>(
  texts: ResourceTexts,
  toText: (rows: readonly Row[]) => string | Promise<string>,
) {
  const t = useResourceTexts(texts)
  return {
    toText,
    label: t('bulk.copy'),
    labelSelected: t('bulk.copySelected'),
    needsSelection: t('bulk.selectFirst'),
  }
}

/** Narrows a list to one status. */
export function useStatusFilter(
  texts: ResourceTexts,
  statuses: Readonly<Record<string, number>>,
): ListFilter {
  const t = useResourceTexts(texts)
  return {
    name: 'status',
    label: t('field.status'),
    placeholder: t('filter.chooseStatus'),
    choices: Object.entries(statuses).map(([state, status]) => ({
      value: String(status),
      label: t(`state.${state as 'disabled'}`),
    })),
  }
}
