import { useTranslation } from 'react-i18next'
import { Money } from '../../components/ui/money.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { type FieldChange, isQuotaField, isTimeField, valueText } from './difference.ts'
import { useFieldName } from './use-field-name.ts'

export interface DifferenceViewProps {
  readonly changes: readonly FieldChange[]
  readonly targetKind: string
}

/** What was changed, one field under the other: what it was struck with a minus, what it became with a plus. */
export function DifferenceView({ changes, targetKind }: DifferenceViewProps) {
  const nameOf = useFieldName(targetKind)
  return (
    <ul className="flex flex-col gap-3">
      {changes.map((change) => (
        <li key={change.name} className="overflow-hidden rounded border">
          <p className="border-b bg-sunken px-3 py-1.5 font-medium text-xs" title={change.name}>
            {nameOf(change.name)}
          </p>
          {change.before !== undefined && <Side name={change.name} side="before" value={change.before} />}
          {change.after !== undefined && <Side name={change.name} side="after" value={change.after} />}
        </li>
      ))}
    </ul>
  )
}

const sides = {
  before: { sign: '−', className: 'bg-bad-soft text-bad' },
  after: { sign: '+', className: 'bg-good-soft text-good' },
} as const

interface SideProps {
  readonly name: string
  readonly side: keyof typeof sides
  readonly value: unknown
}

function Side({ name, side, value }: SideProps) {
  const { t } = useTranslation('audit')
  const { sign, className } = sides[side]
  return (
    <div className={`flex gap-2 px-3 py-1.5 text-xs ${className}`}>
      <span aria-hidden className="select-none font-mono">
        {sign}
      </span>
      <span className="sr-only">{t(`difference.${side}`)}</span>
      <span className="min-w-0 whitespace-pre-wrap break-words font-mono text-text">
        <Value name={name} value={value} />
      </span>
    </div>
  )
}

function Value({ name, value }: Pick<SideProps, 'name' | 'value'>) {
  const { t } = useTranslation('audit')
  if (typeof value === 'boolean') return t(value ? 'difference.yes' : 'difference.no')
  if (typeof value === 'number' && isQuotaField(name)) return <Money quota={value} />
  if (typeof value === 'number' && value > 0 && isTimeField(name)) return formatDateTime(value)
  return valueText(value)
}
