import type { Access } from './call.ts'

/**
 * The calls of such consoles, written by hand from their specification: access, method and path, the fields of the
 * query (`?`) and of the body (`{}`). Where the specification has one path with a word in it, each word has a line. The
 * contract may have more calls; it may not have fewer, nor open one to more callers than listed here.
 */
const tables = `
  public    GET    /api/setup
  public    POST   /api/setup                          {username,password,confirmPassword,SelfUseModeEnabled,DemoSiteEnabled}
  public    GET    /api/status
  admin     GET    /api/status/test
  public    GET    /api/notice
  public    GET    /api/about
  public    GET    /api/home_page_content

  public    POST   /api/user/login                     ?turnstile {username,password}
  public    POST   /api/user/register                  ?turnstile {username,password,email,verification_code,aff_code}
  public    GET    /api/user/logout
  public    GET    /api/verification                   ?email,turnstile
  public    GET    /api/reset_password                 ?email,turnstile
  public    POST   /api/user/reset                     {email,token}
  public    GET    /api/oauth/state                    ?aff
  public    GET    /api/oauth/github                   ?code,state
  public    GET    /api/oauth/oidc                     ?code,state
  public    GET    /api/oauth/linuxdo                  ?code,state
  public    GET    /api/oauth/wechat                   ?code
  user      GET    /api/oauth/wechat/bind              ?code
  user      GET    /api/oauth/email/bind               ?email,code
  public    GET    /api/oauth/telegram/login           ?id,first_name,last_name,username,photo_url,auth_date,hash,lang
  user      GET    /api/oauth/telegram/bind            ?id,first_name,last_name,username,photo_url,auth_date,hash,lang

  admin     GET    /api/user/                          ?p,page_size
  admin     GET    /api/user/search                    ?keyword,group,p,page_size
  admin     GET    /api/user/{id}
  admin     POST   /api/user/                          {username,display_name,password}
  admin     PUT    /api/user/                          {id,username,display_name,password,group,quota}
  admin     DELETE /api/user/{id}
  admin     POST   /api/user/manage                    {id,action}

  user      GET    /api/user/self
  user      PUT    /api/user/self                      {username,display_name,password}
  user      DELETE /api/user/self
  user      GET    /api/user/models
  user      GET    /api/user/self/groups
  public    GET    /api/user/groups
  user      GET    /api/user/token
  user      GET    /api/user/aff
  user      POST   /api/user/aff_transfer              {quota}
  user      PUT    /api/user/setting                   {notify_type,quota_warning_threshold,webhook_url,webhook_secret,notification_email,accept_unset_model_ratio_model}

  admin     GET    /api/option/
  admin     PUT    /api/option/                        {key,value}
  admin     POST   /api/option/rest_model_ratio
  admin     GET    /api/group/
  user      GET    /api/models
  public    GET    /api/pricing

  admin     GET    /api/channel/                       ?p,page_size,id_sort,tag_mode
  admin     GET    /api/channel/search                 ?keyword,group,model,id_sort,tag_mode
  admin     GET    /api/channel/{id}
  admin     POST   /api/channel/                       {type,key,name,base_url,other,models,group,model_mapping,priority,weight,tag,auto_ban,test_model,openai_organization,max_input_tokens,setting,status_code_mapping}
  admin     PUT    /api/channel/                       {id,type,key,name,base_url,other,models,group,model_mapping,status,priority,weight,tag}
  admin     DELETE /api/channel/{id}/
  admin     GET    /api/channel/models
  admin     GET    /api/channel/models_enabled
  admin     GET    /api/channel/test/{id}              ?model
  admin     GET    /api/channel/test
  admin     GET    /api/channel/update_balance/{id}/
  admin     GET    /api/channel/update_balance
  admin     DELETE /api/channel/disabled
  admin     POST   /api/channel/batch                  {ids}
  admin     POST   /api/channel/fix
  admin     POST   /api/channel/batch/tag              {ids,tag}
  admin     PUT    /api/channel/tag                    {tag,new_tag,model_mapping,groups,models,priority,weight}
  admin     POST   /api/channel/tag/enabled            {tag}
  admin     POST   /api/channel/tag/disabled           {tag}
  admin     GET    /api/channel/fetch_models/{id}
  admin     POST   /api/channel/fetch_models           {base_url,type,key}

  user      GET    /api/token/                         ?p,size
  user      GET    /api/token/search                   ?keyword,token
  user      GET    /api/token/{id}
  user      POST   /api/token/                         {name,remain_quota,expired_time,unlimited_quota,model_limits_enabled,model_limits,allow_ips,group}
  user      PUT    /api/token/                         ?status_only {id,status,name,remain_quota,expired_time,unlimited_quota,model_limits_enabled,model_limits,allow_ips,group}
  user      DELETE /api/token/{id}/

  admin     GET    /api/redemption/                    ?p,page_size
  admin     GET    /api/redemption/search              ?keyword,p,page_size
  admin     GET    /api/redemption/{id}
  admin     POST   /api/redemption/                    {name,quota,count}
  admin     PUT    /api/redemption/                    ?status_only {id,name,quota,status}
  admin     DELETE /api/redemption/{id}/
  user      POST   /api/user/topup                     {key}
  user      POST   /api/user/amount                    {amount,top_up_code}
  user      POST   /api/user/pay                       {amount,top_up_code,payment_method}
  signature GET    /api/user/epay/notify

  admin     GET    /api/log/                           ?p,page_size,type,username,token_name,model_name,start_timestamp,end_timestamp,channel,group
  user      GET    /api/log/self/                      ?p,page_size,type,token_name,model_name,start_timestamp,end_timestamp,group
  admin     GET    /api/log/stat                       ?type,username,token_name,model_name,start_timestamp,end_timestamp,channel,group
  user      GET    /api/log/self/stat                  ?type,token_name,model_name,start_timestamp,end_timestamp,group
  admin     GET    /api/log/search                     ?keyword
  user      GET    /api/log/self/search                ?keyword
  admin     DELETE /api/log/                           ?target_timestamp
  relay-key GET    /api/log/token
  admin     GET    /api/data/                          ?start_timestamp,end_timestamp,username
  user      GET    /api/data/self                      ?start_timestamp,end_timestamp
  admin     GET    /api/mj/                            ?p,channel_id,mj_id,start_timestamp,end_timestamp
  user      GET    /api/mj/self/                       ?p,mj_id,start_timestamp,end_timestamp
  admin     GET    /api/task/                          ?p,channel_id,task_id,start_timestamp,end_timestamp
  user      GET    /api/task/self                      ?p,task_id,start_timestamp,end_timestamp
`

/** A call of the specification. */
export interface SpecifiedCall {
  readonly access: Access
  readonly method: string
  /** Path with its variables as `{id}`. */
  readonly path: string
  readonly query: readonly string[]
  readonly body: readonly string[]
}

let read: readonly SpecifiedCall[] | undefined

/** Every call of the specification. */
export function specifiedCalls(): readonly SpecifiedCall[] {
  read ??= tables
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(rowOf)
  return read
}

function rowOf(line: string): SpecifiedCall {
  const [access = '', method = '', path = '', ...sent] = line.trim().split(/\s+/)
  const namesAfter = (mark: string) => {
    const part = sent.find((each) => each.startsWith(mark)) ?? mark
    return part === mark ? [] : part.replace(/[?{}]/g, '').split(',')
  }
  return { access: access as Access, method, path, query: namesAfter('?'), body: namesAfter('{') }
}

/**
 * The parameters of the query that the specification has for a call; `undefined` for a call that only we have.
 * @param path with its variables as `:id`
 */
export function specifiedParameters(method: string, path: string): readonly string[] | undefined {
  const wanted = bare(path.replace(/:\w+/g, '{}'))
  return specifiedCalls().find(
    (each) => each.method === method && bare(each.path.replace(/\{\w+\}/g, '{}')) === wanted,
  )?.query
}

function bare(path: string): string {
  return path.replace(/\/$/, '')
}
