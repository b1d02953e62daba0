{{- define "tollgate.name" -}}
{{- printf "%s" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end }}

{{- define "tollgate.selector" -}}
app.kubernetes.io/name: tollgate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tollgate.labels" -}}
{{ include "tollgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "tollgate.databaseSecret" -}}
{{ .Values.database.existingSecret | default (include "tollgate.name" .) }}
{{- end }}

{{- define "tollgate.masterSecret" -}}
{{ .Values.secret.existingSecret | default (include "tollgate.name" .) }}
{{- end }}
