import { ArrowRight, Plus, X } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { JsonEditor } from '../../../components/ui/field/json-editor.tsx'
import { type MappingDraft, type MappingRow, switchView, withRow } from './mapping.ts'

export interface MappingEditorProps {
  readonly draft: MappingDraft
  readonly onDraftChange: (draft: MappingDraft) => void
  readonly fromLabel: string
  readonly toLabel: string
  readonly example: { readonly from: string; readonly to: string }
  /** Offered while the left side is typed. */
  readonly suggestions?: readonly string[]
  readonly numeric?: boolean
}

/** Pairs as a small table, or as the JSON that is stored. */
export function MappingEditor(props: MappingEditorProps) {
  const { draft, onDraftChange, example } = props
  if (draft.view === 'rows') return <RowsEditor {...props} rows={draft.rows} />
  return (
    <JsonEditor
      value={draft.text}
      example={JSON.stringify({ [example.from]: example.to }, null, 2)}
      onValueChange={(text) => onDraftChange({ view: 'json', text })}
    />
  )
}

/** Switches between table and JSON; off while the JSON cannot be a table. */
export function MappingViewSwitch({
  draft,
  onDraftChange,
}: Pick<MappingEditorProps, 'draft' | 'onDraftChange'>) {
  const { t } = useTranslation('channels')
  const other = switchView(draft)
  return (
    <Button
      variant="ghost"
      size="sm"
      className="-my-1"
      disabled={!other}
      onClick={() => other && onDraftChange(other)}
    >
      {t(draft.view === 'rows' ? 'mapping.asJson' : 'mapping.asTable')}
    </Button>
  )
}

function RowsEditor(props: MappingEditorProps & { readonly rows: readonly MappingRow[] }) {
  const { rows, onDraftChange, fromLabel, toLabel, example, suggestions = [], numeric = false } = props
  const { t } = useTranslation('channels')
  const listId = useId()
  const show = (next: readonly MappingRow[]) => onDraftChange({ view: 'rows', rows: next })
  const changeRow = (id: number, part: Partial<MappingRow>) =>
    show(rows.map((row) => (row.id === id ? { ...row, ...part } : row)))
  const cell = { mono: true, ...(numeric && { inputMode: 'numeric' as const }) }
  return (
    <div className="flex flex-col gap-1.5">
      {rows.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)_1rem_minmax(0,1fr)_var(--control)] items-center gap-x-1.5 gap-y-1.5">
          <span className="text-muted text-xs">{fromLabel}</span>
          <span />
          <span className="text-muted text-xs">{toLabel}</span>
          <span />
          {rows.map((row, index) => (
            <div key={row.id} className="contents">
              <Input
                {...cell}
                list={listId}
                value={row.from}
                placeholder={example.from}
                aria-label={t('mapping.cell', { label: fromLabel, row: index + 1 })}
                onChange={(event) => changeRow(row.id, { from: event.target.value })}
              />
              <ArrowRight className="size-3.5 text-faint" aria-hidden />
              <Input
                {...cell}
                value={row.to}
                placeholder={example.to}
                aria-label={t('mapping.cell', { label: toLabel, row: index + 1 })}
                onChange={(event) => changeRow(row.id, { to: event.target.value })}
              />
              <IconButton
                icon={X}
                tooltip={false}
                label={t('mapping.remove', { row: index + 1 })}
                onClick={() => show(rows.filter(({ id }) => id !== row.id))}
              />
            </div>
          ))}
          <datalist id={listId}>
            {suggestions.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
      )}
      <Button size="sm" icon={Plus} className="self-start" onClick={() => show(withRow(rows))}>
        {t('mapping.add')}
      </Button>
    </div>
  )
}
