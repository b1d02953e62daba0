import { Power, PowerOff, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../ui/copy.tsx'
import type { MenuItems } from '../ui/overlay/menu-items.ts'
import { numberChoices } from './choices.ts'
import type { ListFilter } from './list-filters.tsx'
import type { ResourceApi, StatusAction } from './resource-api.ts'
import { RowControls, type RowStops, useRowDeletion, useRowSwitch } from './row-controls.tsx'
import { useBulkAction } from './use-bulk-action.ts'

/** Texts of a resource that can be enabled, disabled and deleted: each namespace has them under the same keys. */
export type ResourceTexts = 'tokens' | 'redemptions' | 'channels'

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
  /** Asks before the row stops something, and says what was done with a way back. */
  readonly stops?: RowStops | undefined
  /** Content on a phone, left of the buttons. */
  readonly onCard: ReactNode
  /** Everything but deletion. */
  readonly items: MenuItems
  /** Buttons left of the switch. */
  readonly children?: ReactNode
}

/** Shows the controls of one row: a switch, and a menu that ends with deletion. */
export function ResourceRow<Row extends NamedRow>({
  api,
  texts,
  row: { id, name },
  isEnabled,
  nextStatus,
  stops,
  onCard,
  items,
  children,
}: ResourceRowProps<Row>) {
  const t = useResourceTexts(texts)
  const ask = stops?.ask
  const askFor = (act: 'disable' | 'delete') => ask && (() => ask(act))
  const onOff = useRowSwitch({
    enabled: isEnabled,
    label: t(isEnabled ? 'action.disable' : 'action.enable', { name }),
    change: () => api.setStatus(id, nextStatus ?? 0),
    lists: api.lists,
    done: t(isEnabled ? 'toast.disabled' : 'toast.enabled', { name }),
    ...(isEnabled && { ask: askFor('disable'), say: stops?.offerUndo }),
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
    ask: askFor('delete'),
  })
  return (
    <RowControls
      onCard={onCard}
      onOff={nextStatus === undefined ? undefined : onOff}
      more={t('action.more', { name })}
      items={[
        ...items,
        { kind: 'separator' },
        { kind: 'action', icon: Trash2, label: t('action.delete'), danger: true, run: remove },
      ]}
    >
      {children}
    </RowControls>
  )
}

/** Returns the actions on many rows at once: enable, disable and, after a question, delete. */
export function useResourceActions<Row extends NamedRow>(api: ResourceApi<Row>, texts: ResourceTexts) {
  const t = useResourceTexts(texts)
  const action = useBulkAction<StatusAction>({
    text: (name, count) => t(`bulk.${name}`, { count }),
    lists: api.lists,
  })
  const change = (id: StatusAction) => (ids: readonly number[]) => api.changeMany(id, ids)
  return {
    enable: action({ id: 'enable', icon: Power, run: change('enable') }),
    disable: action({ id: 'disable', icon: PowerOff, run: change('disable') }),
    delete: action({
      id: 'delete',
      icon: Trash2,
      run: change('delete'),
      danger: true,
      question: (count) => ({
        title: t('bulk.deleteTitle', { count }),
        description: t('delete.description'),
        confirmLabel: t('bulk.deleteConfirm', { count }),
        danger: true,
      }),
    }),
  }
}

/** Returns the texts and the function for copying the chosen rows. */
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
    choices: numberChoices(statuses, (state) => t(`state.${state as 'disabled'}`)),
  }
}

export interface CardFootProps {
  /** The row's figures, in one line. */
  readonly facts: ReactNode
  /** The secret without its middle. */
  readonly secret: string
  readonly copy: { readonly value: string | (() => Promise<string>); readonly label: string }
}

/** Two lines beside the buttons of a phone's card: the figures, and a secret to be copied without being shown. */
export function CardFoot({ facts, secret, copy }: CardFootProps) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="flex min-w-0 flex-1 flex-col text-xs">
        <span className="figures truncate">{facts}</span>
        <span className="truncate font-mono text-muted">{secret}</span>
      </span>
      <CopyButton {...copy} />
    </span>
  )
}
