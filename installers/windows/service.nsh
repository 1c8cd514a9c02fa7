; Installs the service in the NSIS installer. Silent with /S. Untested on a real machine. The agent speaks the protocol of the
; service control manager itself (run --service).

!define FLAGS "--max-semi-space-size=1 --optimize-for-size --no-opt --no-maglev --expose-gc"

; The source of the agent's events: agent/src/native/windows/event-log.ts.
!define EVENT_SOURCE_KEY "SYSTEM\CurrentControlSet\Services\EventLog\Application\Gatewarden"

!macro customInstall
  DetailPrint "Gatewarden: configuration"
  nsExec::ExecToLog 'powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$INSTDIR\resources\service\configure.ps1" -Resources "$INSTDIR\resources"'
  Pop $0
  ${if} $0 != 0
    DetailPrint "Gatewarden: the configuration was not written ($0)"
    SetErrorLevel 2
  ${endif}
  ReadEnvStr $1 ProgramData
  nsExec::ExecToLog 'sc.exe create gatewarden-agent start= delayed-auto DisplayName= "Gatewarden agent" binPath= "\"$INSTDIR\resources\agent\bin\node.exe\" ${FLAGS} \"$INSTDIR\resources\agent\app\launcher.js\" run --service --config \"$1\Gatewarden\agent.toml\""'
  Pop $0
  nsExec::ExecToLog 'sc.exe failure gatewarden-agent reset= 600 actions= restart/5000/restart/60000/restart/60000'
  Pop $0
  ${if} ${FileExists} "$1\Gatewarden\agent.toml"
    nsExec::ExecToLog 'sc.exe start gatewarden-agent'
    Pop $0
  ${endif}
  WriteRegExpandStr HKLM "${EVENT_SOURCE_KEY}" "EventMessageFile" "%SystemRoot%\System32\EventCreate.exe"
  WriteRegDWORD HKLM "${EVENT_SOURCE_KEY}" "TypesSupported" 7
  WriteRegStr HKLM "Software\Microsoft\Windows\CurrentVersion\Run" "Gatewarden" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}"'
!macroend

; Runs before files are removed, also in an upgrade, which then installs the service again. Identity, queue and
; configuration remain, unless the uninstaller is started with --purge.
!macro customUnInstall
  ; Waits until the service has stopped, unlike sc.exe.
  nsExec::ExecToLog 'net.exe stop gatewarden-agent'
  Pop $0
  nsExec::ExecToLog 'sc.exe delete gatewarden-agent'
  Pop $0
  DeleteRegKey HKLM "${EVENT_SOURCE_KEY}"
  DeleteRegValue HKLM "Software\Microsoft\Windows\CurrentVersion\Run" "Gatewarden"
  ${ifNot} ${isUpdated}
    ReadEnvStr $1 ProgramData
    ; Restores quarantined files, because nobody could restore them without the agent.
    StrCpy $2 "0"
    ${if} ${FileExists} "$1\Gatewarden\agent.toml"
      nsExec::ExecToLog '"$INSTDIR\resources\agent\bin\node.exe" "$INSTDIR\resources\agent\app\main.js" quarantine --release-all --config "$1\Gatewarden\agent.toml"'
      Pop $2
    ${endif}
    ${GetParameters} $R0
    ClearErrors
    ${GetOptions} $R0 "--purge" $R1
    ${ifNot} ${Errors}
      ; Files of users that could not be restored are kept.
      ${if} $2 == "0"
        RMDir /r "$1\Gatewarden"
      ${else}
        DetailPrint "What could not be put back is left in $1\Gatewarden"
      ${endif}
    ${endif}
  ${endif}
!macroend
