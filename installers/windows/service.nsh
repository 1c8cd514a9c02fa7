; Installs the service in the NSIS installer. Silent with /S. Untested on a real machine. The build places the service
; wrapper (WinSW 2, MIT) as gatewarden-agent.exe beside gatewarden-agent.xml.

!define SERVICE "$INSTDIR\resources\service\gatewarden-agent.exe"

!macro customInstall
  DetailPrint "Gatewarden: configuration"
  nsExec::ExecToLog 'powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$INSTDIR\resources\service\configure.ps1" -Resources "$INSTDIR\resources"'
  Pop $0
  ${if} $0 != 0
    DetailPrint "Gatewarden: the configuration was not written ($0)"
    SetErrorLevel 2
  ${endif}
  nsExec::ExecToLog '"${SERVICE}" install'
  Pop $0
  ReadEnvStr $1 ProgramData
  ${if} ${FileExists} "$1\Gatewarden\agent.toml"
    nsExec::ExecToLog '"${SERVICE}" start'
    Pop $0
  ${endif}
  WriteRegStr HKLM "Software\Microsoft\Windows\CurrentVersion\Run" "Gatewarden" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}"'
!macroend

; Runs before files are removed, also in an upgrade, which then installs the service again. Identity, queue and
; configuration remain, unless the uninstaller is started with --purge.
!macro customUnInstall
  nsExec::ExecToLog '"${SERVICE}" stop'
  Pop $0
  nsExec::ExecToLog '"${SERVICE}" uninstall'
  Pop $0
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
