module ${PROJECT}

go 1.24
