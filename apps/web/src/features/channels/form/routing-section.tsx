import { useQuery } from '@tanstack/react-query'
import { priorityMin } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../components/ui/card.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { NumberInput } from '../../../components/ui/field/input.tsx'
import { MultiSelect } from '../../../components/ui/select/multi-select.tsx'
import { groupsQuery } from '../../../lib/api/account.ts'
import { formatPercent } from '../../../lib/format/format.ts'
import { limitOf, limits, withLimit } from './extra-setting.ts'
import { FormField, type SectionProps } from './form-field.tsx'
import { PlainFields } from './plain-fields.tsx'

/** Edits the groups whose calls the channel takes, and its share of them. */
export function RoutingSection({ form, change, problems }: SectionProps) {
  const { t } = useTranslation('channels')
  const { data: groups = [] } = useQuery(groupsQuery)
  return (
    <FormSection id="routing" title={t('section.routing')}>
      <FormField name="groups" problem={problems.groups} label={t('field.groups')} hint={t('hint.groups')}>
        <MultiSelect
          values={form.groups}
          onValuesChange={(values) => change({ groups: values })}
          options={groups}
          placeholder={t('placeholder.groups')}
        />
      </FormField>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField
          name="priority"
          problem={problems.priority}
          label={t('field.priority')}
          hint={<PriorityEffect priority={form.priority} />}
        >
          <NumberInput
            value={form.priority}
            min={priorityMin}
            onValueChange={(priority) => change({ priority })}
          />
        </FormField>
        <FormField
          name="weight"
          problem={problems.weight}
          label={t('field.weight')}
          hint={<WeightEffect weight={form.weight} />}
        >
          <NumberInput value={form.weight} min={0} onValueChange={(weight) => change({ weight })} />
        </FormField>
      </div>
      <LimitFields form={form} change={change} />
      <PlainFields section="routing" form={form} change={change} problems={problems} />
    </FormSection>
  )
}

/** Explains a priority, with the number in the sentence. */
function PriorityEffect({ priority = 0 }: { readonly priority: number | undefined }) {
  const { t } = useTranslation('channels')
  return t('effect.priority', { priority })
}

/** Weight of the neighbour that the sentence compares with. */
const neighbour = 10

/** Weights share calls in proportion; 0 is a spare beside channels that have one. */
function WeightEffect({ weight = 0 }: { readonly weight: number | undefined }) {
  const { t } = useTranslation('channels')
  if (weight <= 0) return t('effect.noWeight')
  return t('effect.weight', { neighbour, share: formatPercent(weight / (weight + neighbour)) })
}

/** Edits the limits of the channel; calls beyond them go to others. Stored in the extra settings. */
function LimitFields({ form, change }: Pick<SectionProps, 'form' | 'change'>) {
  const { t } = useTranslation()
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {Object.values(limits).map((key) => (
        <Field key={key} label={t(`rateLimit.${key}`)} hint={t('rateLimit.channelHint')}>
          <NumberInput
            value={limitOf(form.setting, key)}
            min={0}
            onValueChange={(value = 0) => change({ setting: withLimit(form.setting, key, value) })}
          />
        </Field>
      ))}
    </div>
  )
}
