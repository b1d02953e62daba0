import { findChannelType } from '@tollgate/api/channel-types'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../components/ui/card.tsx'
import { Switch } from '../../../components/ui/field/choice.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input, NumberInput } from '../../../components/ui/field/input.tsx'
import { JsonEditor } from '../../../components/ui/field/json-editor.tsx'
import { Select } from '../../../components/ui/select/select.tsx'
import { formatPercent } from '../../../lib/format/format.ts'
import { MappingEditor, MappingViewSwitch } from '../mapping/mapping-editor.tsx'
import { costFactorOf, withCostFactor } from './extra-setting.ts'
import { FormField, FormGroup, type SectionProps } from './form-field.tsx'
import { PlainFields } from './plain-fields.tsx'
import { SettingField } from './setting-field.tsx'

/** Edits fields that most channels never need; folded by default. */
export function AdvancedSection(props: SectionProps) {
  const { form, change, problems } = props
  const { t } = useTranslation('channels')
  return (
    <FormSection id="advanced" title={t('section.advanced')} description={t('section.advancedHint')} folded>
      <div data-field="autoBan">
        <Switch
          checked={form.autoBan}
          onCheckedChange={(autoBan) => change({ autoBan })}
          label={<span className="font-medium">{t('field.autoBan')}</span>}
          hint={t('hint.autoBan')}
        />
      </div>
      <TestModelField {...props} />
      <CostFactorField {...props} />
      {findChannelType(form.type)?.hasOrganization === true && (
        <FormField
          name="organization"
          problem={problems.organization}
          label={t('field.organization')}
          hint={t('hint.organization')}
        >
          <Input
            mono
            value={form.organization}
            placeholder="org-..."
            onChange={(event) => change({ organization: event.target.value })}
          />
        </FormField>
      )}
      <FormField
        name="paramOverride"
        problem={problems.paramOverride}
        label={t('field.paramOverride')}
        hint={t('hint.paramOverride')}
      >
        <JsonEditor
          value={form.paramOverride}
          rows={3}
          example={'{\n  "temperature": 0\n}'}
          onValueChange={(paramOverride) => change({ paramOverride })}
        />
      </FormField>
      <StatusMappingField {...props} />
      <SettingField {...props} />
      <PlainFields section="advanced" {...props} />
    </FormSection>
  )
}

function TestModelField({ form, change, problems }: SectionProps) {
  const { t } = useTranslation('channels')
  const first = form.models[0]
  const standard = {
    value: '',
    label: first ? t('form.firstModelNamed', { model: first }) : t('form.firstModel'),
  }
  return (
    <FormField
      name="testModel"
      problem={problems.testModel}
      label={t('field.testModel')}
      hint={t('hint.testModel')}
    >
      <Select
        value={form.testModel}
        onValueChange={(testModel) => change({ testModel })}
        options={[standard, ...form.models.map((model) => ({ value: model, label: model }))]}
      />
    </FormField>
  )
}

/** Edits the account's share of the list price, and explains it. Stored in the extra settings. */
function CostFactorField({ form, change }: SectionProps) {
  const { t } = useTranslation('channels')
  return (
    <Field label={t('field.costFactor')} hint={t('hint.costFactor')}>
      <NumberInput
        value={costFactorOf(form.setting)}
        decimal
        min={0}
        preview={(factor) => <CostFactorEffect factor={factor} />}
        onValueChange={(factor) => change({ setting: withCostFactor(form.setting, factor) })}
      />
    </Field>
  )
}

function CostFactorEffect({ factor }: { readonly factor: number }) {
  const { t } = useTranslation('channels')
  if (factor === 0) return t('effect.costFree')
  if (factor === 1) return t('effect.costList')
  if (factor < 1) return t('effect.costBelow', { share: formatPercent(rounded(1 - factor)) })
  return t('effect.costAbove', { share: formatPercent(rounded(factor - 1)) })
}

/** 1 less 0.9 is no round number to a computer. */
function rounded(share: number): number {
  return Number(share.toFixed(6))
}

const statusExample = { from: '400', to: '500' }

function StatusMappingField({ form, change, problems }: SectionProps) {
  const { t } = useTranslation('channels')
  const onDraftChange = (statusCodeMapping: typeof form.statusCodeMapping) => change({ statusCodeMapping })
  return (
    <FormGroup
      name="statusCodeMapping"
      problem={problems.statusCodeMapping}
      label={t('field.statusCodeMapping')}
      hint={t('hint.statusCodeMapping')}
      aside={<MappingViewSwitch draft={form.statusCodeMapping} onDraftChange={onDraftChange} />}
    >
      <MappingEditor
        draft={form.statusCodeMapping}
        onDraftChange={onDraftChange}
        fromLabel={t('mapping.answered')}
        toLabel={t('mapping.counted')}
        example={statusExample}
        numeric
      />
    </FormGroup>
  )
}
