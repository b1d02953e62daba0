import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { FormSection } from '../../../components/ui/card.tsx'
import { Switch } from '../../../components/ui/choice.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { JsonEditor } from '../../../components/ui/json-editor.tsx'
import { Select } from '../../../components/ui/select.tsx'
import { type ExtraSetting, readSetting, withSetting } from './extra-setting.ts'
import { FormField, FormGroup, type SectionProps } from './form-field.tsx'
import { MappingEditor, MappingViewSwitch } from './mapping-editor.tsx'
import { typeIds } from './type-facts.ts'

/** What most channels never need; folded until it is looked for. */
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
      {form.type === typeIds.openAi && (
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

/** Switches for what is known, and the JSON for the rest. */
function SettingField({ form, change, problems }: SectionProps) {
  const { t } = useTranslation('channels')
  const values = readSetting(form.setting)
  const [asJson, setAsJson] = useState(values === undefined)
  return (
    <FormGroup
      name="setting"
      problem={problems.setting}
      label={t('field.setting')}
      aside={
        <Button
          variant="ghost"
          size="sm"
          className="-my-1"
          disabled={!values}
          onClick={() => setAsJson(!asJson)}
        >
          {t(asJson ? 'mapping.asControls' : 'mapping.asJson')}
        </Button>
      }
    >
      {asJson || !values ? (
        <JsonEditor
          value={form.setting}
          example={'{\n  "force_format": true\n}'}
          onValueChange={(setting) => change({ setting })}
        />
      ) : (
        <SettingControls
          values={values}
          onChange={(key, value) => change({ setting: withSetting(form.setting, key, value) })}
        />
      )}
    </FormGroup>
  )
}

interface SettingControlsProps {
  readonly values: ExtraSetting
  readonly onChange: <Key extends keyof ExtraSetting>(key: Key, value: ExtraSetting[Key]) => void
}

function SettingControls({ values, onChange }: SettingControlsProps) {
  const { t } = useTranslation('channels')
  return (
    <div className="flex flex-col gap-3 rounded border px-3 py-2.5">
      <Switch
        checked={values.force_format}
        onCheckedChange={(on) => onChange('force_format', on)}
        label={<span className="font-medium">{t('setting.forceFormat')}</span>}
        hint={t('setting.forceFormatHint')}
      />
      <Switch
        checked={values.thinking_to_content}
        onCheckedChange={(on) => onChange('thinking_to_content', on)}
        label={<span className="font-medium">{t('setting.thinking')}</span>}
        hint={t('setting.thinkingHint')}
      />
      <Field label={t('setting.proxy')} hint={t('setting.proxyHint')}>
        <Input
          mono
          value={values.proxy}
          placeholder="http://proxy.example.com:3128"
          onChange={(event) => onChange('proxy', event.target.value)}
        />
      </Field>
    </div>
  )
}
