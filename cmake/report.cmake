function(tessera_print_report)
endfunction()
