import { channelTypes } from '@tollgate/api/channel-types'
import { useTranslation } from 'react-i18next'
import { Money } from '../../components/ui/money.tsx'
import { formatDateTime } from '../../lib/format/format.ts'
import { type FieldChange, valueText } from './difference.ts'
import { useFieldName } from './use-field-name.ts'
import { labelForValue, momentIn, quotaIn, type RecordValue } from './value-text.ts'

export interface DifferenceViewProps {
  readonly changes: readonly FieldChange[]
  readonly target: Pick<RecordValue, 'targetKind' | 'targetName'>
}

/** Shows the changes, one field under the other: former values struck with a minus, new ones with a plus. */
export function DifferenceView({ changes, target }: DifferenceViewProps) {
  const nameOf = useFieldName(target.targetKind)
  return (
    <ul className="flex flex-col gap-3">
      {changes.map((change) => (
        <li key={change.name} className="overflow-hidden rounded border">
          <p className="border-b bg-sunken px-3 py-1.5 font-medium text-xs" title={change.name}>
            {nameOf(change.name)}
          </p>
          {(['before', 'after'] as const).map(
            (side) =>
              change[side] !== undefined && (
                <Side key={side} side={side} record={{ ...target, name: change.name, value: change[side] }} />
              ),
          )}
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
  readonly side: keyof typeof sides
  readonly record: RecordValue
}

function Side({ side, record }: SideProps) {
  const { t } = useTranslation('audit')
  const { sign, className } = sides[side]
  return (
    <div className={`flex gap-2 px-3 py-1.5 text-xs ${className}`}>
      <span aria-hidden className="select-none font-mono">
        {sign}
      </span>
      <span className="sr-only">{t(`difference.${side}`)}</span>
      <span className="min-w-0 whitespace-pre-wrap break-words font-mono text-text">
        <Value record={record} />
      </span>
    </div>
  )
}

function Value({ record }: Pick<SideProps, 'record'>) {
  const { t } = useTranslation('audit')
  const quota = quotaIn(record)
  if (quota !== undefined) return <Money quota={quota} />
  const moment = momentIn(record)
  if (moment !== undefined) return formatDateTime(moment)
  if (record.targetKind === 'channel' && record.name === 'type' && typeof record.value === 'number')
    return typeName(record.value) ?? valueText(record.value)
  return labelForValue(record, t) ?? valueText(record.value)
}

function typeName(id: number): string | undefined {
  return channelTypes.find((type) => type.id === id)?.name
}
